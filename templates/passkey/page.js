const main = document.querySelector("main");
const button = document.querySelector("button");
const status = document.querySelector("[role=status]");

const left = () => Math.max(0, Math.ceil((Date.parse(main.dataset.ends) - Date.now()) / 1000));

const tick = setInterval(() => {
  status.textContent = left() > 0 ? `${left()} s left` : "This link has expired. Comment on the issue again.";
  if (left() > 0) return;
  button.disabled = true;
  clearInterval(tick);
}, 1000);

async function answer() {
  const { startRegistration, startAuthentication } = globalThis.SimpleWebAuthnBrowser;
  const optionsJSON = JSON.parse(main.dataset.options);
  return main.dataset.does === "add" ? startRegistration({ optionsJSON }) : startAuthentication({ optionsJSON });
}

button.addEventListener("click", async () => {
  button.disabled = true;
  clearInterval(tick);
  status.textContent = "Waiting for your passkey …";
  try {
    const body = JSON.stringify(await answer());
    const headers = { "content-type": "application/json" };
    const reply = await fetch(location.pathname, { method: "POST", headers, body });
    status.textContent = await reply.text();
    if (reply.ok) button.remove();
    else button.disabled = false;
  } catch (error) {
    status.textContent = `Nothing was sent: ${error.message}`;
    button.disabled = false;
  }
});
