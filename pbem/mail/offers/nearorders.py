"""Orders below a line that was nearly `orders:`, as what they would be: an offer, and never orders."""

from __future__ import annotations

from dataclasses import replace

from pbem.mail.arrivals.cases import Case
from pbem.mail.arrivals.identify import orders_in
from pbem.mail.conversation.replies import told
from pbem.mail.offers.offering import Offer
from pbem.play.submissions.lodging import checked
from pbem.text.mail.message.ownwords import own_lines
from pbem.text.mail.orders.findorders import FoundOrders
from pbem.text.mail.orders.nearhead import near_head
from pbem.text.schemas.canonical import canonical
from pbem.text.submission.orders import Faults


def below_head(case: Case, offer: Offer | None) -> Offer | None:
    """Return what is offered to who wrote orders below a line that was nearly `orders:`.

    Args:
        case: The mail, in which no orders were found.
        offer: What is offered to any other mail with these words.

    Returns:
        Their lines if they would be accepted, mended if that goes; else the same offer, with the mistakes
        that they would have below `orders:`, each with its line in the mail.
    """
    saved, letter = case.saved, case.letter
    near = near_head(letter) if letter is not None and offer is not None and not saved.table.key else None
    if near is None or offer is None:
        return offer
    home, found = case.desk.home, orders_in(near.letter, own_lines(near.letter), saved, case.seat)
    if not isinstance(found, FoundOrders):
        return offer
    judged = checked(home, found.text, {saved.name: saved})
    if not isinstance(judged, list):
        lines = judged.submission.orders
        return Offer(f"orders:\n{canonical(lines)}", "meant") if lines.lines else offer
    faults, wrong = judged if isinstance(judged, Faults) else Faults(judged), tuple(told(found, judged))
    kept = checked(home, "".join(f"{line}\n" for line in faults.whole).encode(), {saved.name: saved})
    if not faults.whole or faults.is_example or isinstance(kept, list):
        return replace(offer, wrong=wrong)
    text = f"orders:\n{canonical(kept.submission.orders)}"
    return Offer(text, "mended", wrong, faults.done, faults.is_mixed)
