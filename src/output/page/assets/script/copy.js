// Menus beside tables and figures: to the clipboard, or into a file.

/** Puts a text on the clipboard; where the page may not, by way of a selection. Whether it worked. */
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** Hands a text to the person as a file. */
function toFile(name, type, text) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** What a button of a menu stands for. */
function source(article, kind) {
  if (kind === "markdown") return markdown(article);
  if (kind === "svg") return drawing(article.querySelector(".paper svg"));
  return article.querySelector(`template[data-source="${kind}"]`)?.content.textContent ?? "";
}

/** A drawing as a file of its own. */
function drawing(svg) {
  const text = new XMLSerializer().serializeToString(svg);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
}

const TYPES = { csv: "text/csv", svg: "image/svg+xml" };

function setUpMenus() {
  const close = (menu, focus) => {
    const button = menu.parentElement.querySelector("[data-menu]");
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
    if (focus) button.focus();
  };
  const closeOthers = (kept) => {
    for (const menu of document.querySelectorAll(".menu:not([hidden])")) if (menu !== kept) close(menu, false);
  };
  document.addEventListener("click", async (event) => {
    const target = event.target.closest?.("button");
    const holder = target?.closest(".copy");
    if (!holder) return closeOthers(null);
    const menu = holder.querySelector(".menu");
    if (target.hasAttribute("data-menu")) {
      closeOthers(menu);
      menu.hidden = !menu.hidden;
      target.setAttribute("aria-expanded", String(!menu.hidden));
      if (!menu.hidden) menu.querySelector("button").focus();
      return;
    }
    const article = holder.closest("article");
    const opener = holder.querySelector("[data-menu]");
    const words = opener.dataset.words ?? (opener.dataset.words = opener.textContent);
    let said;
    if (target.dataset.copy) {
      const done = await toClipboard(source(article, target.dataset.copy));
      said = done ? "Copied" : "Not allowed here";
    } else {
      const kind = target.dataset.save;
      toFile(`${menu.dataset.name}.${kind}`, TYPES[kind], source(article, kind));
      said = "Saved";
    }
    close(menu, true);
    opener.textContent = said;
    announce(`${said}: ${target.textContent}`);
    setTimeout(() => {
      opener.textContent = words;
    }, 1500);
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.target.closest?.(".copy")?.querySelector(".menu:not([hidden])");
    if (!menu) return;
    const items = [...menu.querySelectorAll("button")];
    const at = items.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") close(menu, true);
    else if (step) items[(at + step + items.length) % items.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
