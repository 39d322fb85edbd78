"""YAML as strangers send it, and as pbem writes it; clean text below it."""
