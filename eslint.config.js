import js from "@eslint/js";
import globals from "globals";
export default [
  { ignores: ["**/*.min.js", ".venv/**", ".venv-peers/**", "node_modules/**", "demo/**", "build/**"] },
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: { ...globals.browser, pbem: "readonly" } },
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-useless-concat": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
      "no-empty": ["error", { allowEmptyCatch: true }],
    },
  },
  { files: ["tests/**"], languageOptions: { globals: globals.node } },
];
