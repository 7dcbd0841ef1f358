// What all pages can do: save what is seen, and unfold everything for the printer.
(function () {
  "use strict";
  const name = (figure, ending) => {
    const title = (figure.querySelector("figcaption")?.textContent || document.title).toLowerCase();
    return title.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") + ending;
  };
  function hand(blob, file) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // A drawing of its own: colours of the page are written out.
  function drawing(svg) {
    const copy = svg.cloneNode(true), box = svg.viewBox.baseVal;
    const [width, height] = box && box.width ? [box.width, box.height] : [svg.clientWidth, svg.clientHeight];
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", width);
    copy.setAttribute("height", height);
    copy.setAttribute("font-family", "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif");
    copy.removeAttribute("tabindex");
    const css = getComputedStyle(document.documentElement);
    let text = new XMLSerializer().serializeToString(copy);
    text = text.replace(/var\(--([a-z-]+)\)/g, (all, name) => css.getPropertyValue("--" + name).trim() || all);
    const paper = css.getPropertyValue("--paper").trim();
    return text.replace(/>/, `><rect width="100%" height="100%" fill="${paper}"/>`);
  }

  // The canvases of a figure below each other, with the name above and the names of curves below.
  function painting(figure) {
    const css = getComputedStyle(document.documentElement), colour = (n) => css.getPropertyValue("--" + n).trim();
    const canvas = figure.querySelector("canvas"), ratio = canvas.width / (canvas.clientWidth || canvas.width);
    const rows = [...figure.querySelectorAll(".u-legend .u-series")].slice(1).filter((row) => !row.classList.contains("u-off"));
    const all = document.createElement("canvas"), line = 22 * ratio;
    all.width = canvas.width;
    all.height = canvas.height + line * (rows.length + 1.5);
    const ctx = all.getContext("2d");
    ctx.fillStyle = colour("paper");
    ctx.fillRect(0, 0, all.width, all.height);
    ctx.fillStyle = colour("ink");
    ctx.font = `600 ${14 * ratio}px sans-serif`;
    ctx.fillText(figure.querySelector("figcaption")?.textContent || "", 8 * ratio, 17 * ratio);
    ctx.drawImage(canvas, 0, line);
    ctx.font = `${13 * ratio}px sans-serif`;
    rows.forEach((row, k) => {
      const y = canvas.height + line * (k + 1.7), sample = row.querySelector("line");
      if (sample) {
        ctx.strokeStyle = sample.getAttribute("stroke");
        ctx.lineWidth = 1.7 * ratio;
        ctx.setLineDash((sample.getAttribute("stroke-dasharray") || "").split(" ").filter(Boolean).map((v) => v * ratio));
        ctx.beginPath();
        ctx.moveTo(60 * ratio, y - 4 * ratio);
        ctx.lineTo(94 * ratio, y - 4 * ratio);
        ctx.stroke();
      }
      ctx.fillText(row.querySelector(".u-label").textContent, 102 * ratio, y);
    });
    return all;
  }

  function save(figure) {
    if (figure.querySelector("canvas")) painting(figure).toBlob((blob) => hand(blob, name(figure, ".png")), "image/png");
    else hand(new Blob([drawing(figure.querySelector(":scope > svg"))], { type: "image/svg+xml" }), name(figure, ".svg"));
  }

  document.querySelectorAll("main figure").forEach((figure) => {
    const canvas = !!figure.querySelector("canvas");
    if (!canvas && !figure.querySelector(":scope > svg")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "save";
    button.textContent = canvas ? "Save PNG" : "Save SVG";
    button.setAttribute("aria-label", `save ${figure.querySelector("figcaption")?.textContent || "this figure"} as ${canvas ? "PNG" : "SVG"}`);
    button.addEventListener("click", () => save(figure));
    figure.prepend(button);
  });

  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((fold) => { fold.open = true; });
  });
  window.addEventListener("afterprint", () => closed.forEach((fold) => { fold.open = false; }));
  // A link to something folded opens it.
  const reveal = () => {
    const target = location.hash.length > 1 && !location.hash.includes("=") && document.getElementById(location.hash.slice(1));
    if (target) target.closest("details")?.setAttribute("open", "");
  };
  window.addEventListener("hashchange", reveal);
  reveal();
})();
