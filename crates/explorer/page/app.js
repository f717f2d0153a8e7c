"use strict";
// The list of properties and their verdicts, as plain as can be.
const put = (parent, tag, text) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  parent.appendChild(element);
  return element;
};
const data = document.getElementById("wherefore-data");
const ask = async (route) =>
  data ? JSON.parse(data.textContent).responses[route] : (await fetch("api/1/" + route)).json();
const show = (app, list) => {
  app.replaceChildren();
  for (const { model, checking } of list.models) {
    put(app, "h1", model.path);
    put(app, "p", "The check is " + checking + ".");
    const table = put(app, "table");
    for (const property of model.properties) {
      const row = put(table, "tr");
      put(row, "td", property.verdict);
      put(row, "td", property.name);
      put(row, "td", property.text);
      put(row, "td", property.size ? "because " + property.size.because : "");
    }
  }
  return list.models.some((entry) => ["waiting", "running"].includes(entry.checking));
};
const again = async () => {
  if (show(document.getElementById("app"), await ask("models")) && !data) setTimeout(again, 500);
};
again();
