"""What must stay true, as data: each corpus names facts, and never sentences.

A corpus is a file of rows with one small runner beside it. `python -m tests.behaviour.NAME` writes down anew
what comes of each row today; whoever does that looks at the difference. `may change` in a row says that what
comes of it today is wrong or hardly matters, and why.
"""
