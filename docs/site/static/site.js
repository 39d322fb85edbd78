// What screen readers and the keyboard miss in the theme.
for (const one of document.querySelectorAll("pre, .table-wrapper, .toc-scroll, .sidebar-scroll")) {
  one.tabIndex = 0;
}
document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "All documents");
document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
// A click on a picture opens it by itself.
for (const picture of document.querySelectorAll("article img:not(a img)")) {
  const link = document.createElement("a");
  link.href = picture.src;
  picture.replaceWith(link);
  link.append(picture);
}
