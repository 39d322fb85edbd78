// The menu lists some bids; any other number is as good, so the page must not take them for all.
export default () => ({ isOpen: true });
