// What all parts of the page share: elements by ID, messages, announcements, and the question before something is done.

export const $ = (id) => document.getElementById(id);

export function setShown(element, shown) {
  element.hidden = !shown;
}

/** Announces something to screen readers. */
export function announce(sentences) {
  const text = [].concat(sentences).filter(Boolean).join(' ');
  if (text) $('live').textContent = text;
}

/** Shows and announces why something was refused. */
export function showRefusal(id, sentences) {
  const text = [].concat(sentences).join(' ');
  $(id).textContent = text;
  announce(text);
}

/** Shows a text instead of everything else. */
export function showMessage(text) {
  for (const id of ['lobby', 'game']) setShown($(id), false);
  $('message-text').textContent = text;
  setShown($('message'), true);
  announce(text);
}

/** Asks for confirmation, and acts after a yes. */
export function confirmThen(text, act) {
  const dialog = $('confirm');
  $('confirm-text').textContent = text;
  dialog.returnValue = '';
  dialog.onclose = () => { if (dialog.returnValue === 'yes') act(); };
  dialog.showModal();
}

/** Copies a text, or says that the browser does not allow it. */
export async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text);
    $('copied').textContent = `${name} copied.`;
    announce(`${name} copied.`);
  } catch {
    showRefusal('refusal', `The browser does not let the page copy; the ${name} can be selected and copied by hand.`);
  }
}
