"""Pure text work: dataclasses to JSON, strict YAML, orders, forms and reports."""
