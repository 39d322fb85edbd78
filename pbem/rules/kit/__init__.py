"""What rules share: tables of data, names and sentences, and rules that are put together from parts.

Rules need none of it; the interface is `pbem.core.interface` alone.
"""
