"use strict";
document.addEventListener("keydown", function (event) {
  if (event.altKey || event.ctrlKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  var wanted = {ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last"}[event.key];
  var link = wanted && document.querySelector('.steps a[rel="' + wanted + '"]');
  if (link) { event.preventDefault(); link.click(); }
});
var search = document.getElementById("search");
if (search) {
  var words = document.getElementById("words"), rules = document.getElementById("rules");
  var games = Array.prototype.slice.call(document.querySelectorAll(".games li"));
  var look = function () {
    var wanted = words.value.toLowerCase().split(/\s+/), count = 0;
    games.forEach(function (game) {
      var text = game.textContent.toLowerCase();
      var fits = (!rules.value || game.dataset.rules === rules.value) && wanted.every(function (word) { return text.indexOf(word) >= 0; });
      game.hidden = !fits;
      count += fits;
    });
    document.querySelectorAll(".games").forEach(function (part) { part.hidden = !part.querySelector("li:not([hidden])"); });
    document.getElementById("found").textContent = count === games.length ? "" : count + (count === 1 ? " game" : " games");
  };
  search.hidden = false;
  search.addEventListener("submit", function (event) { event.preventDefault(); });
  words.addEventListener("input", look);
  rules.addEventListener("change", look);
  look();
}
