"""Mail in and mail out: what mails ask for is done, and what is to be told becomes mails."""
