// The page, from top to bottom.

buildFacts(byId("facts"));
byId("contents").append(...[["popularity", TIMES.length > 1 ? "Over time" : "Popularity"], DATA.born ? ["lifelines", "Lifelines"] : null, ["topics", `${capital(NOUN)}s`], ["method", "Method"]]
  .filter(Boolean).map(([id, label]) => h("a", { href: `#${id}` }, label)));

if (FEATURES.length) {
  pickFirst(5);
  (TIMES.length > 1 ? buildPopularity : buildPopularities)(byId("popularity"));
  buildLifelines(byId("lifelines"));
  buildCards(byId("topics"));
  tellPicks();
} else {
  ["popularity", "lifelines"].forEach((id) => byId(id).remove());
  byId("topics").append(h("h2", { id: "topics-title" }, `No ${NOUN} yet`), h("p", {}, `No ${NOUN} is in enough of the draws to be distinguished. Run longer, or look at the data.`));
}
buildMethod(byId("method"));
