const SENT = 'stoa:sent'

/** Remembers, for this tab, which draft was sent. */
export const nameSent = (name: string): void => sessionStorage.setItem(SENT, name)

/** Deletes the draft that was sent before this page, if the page says that it was accepted; that of no other form is meant from then on. */
export const dropSent = (): void => {
  const name = sessionStorage.getItem(SENT)
  const forget = (): void => sessionStorage.removeItem(SENT)
  forget()
  const isStored = document.querySelector('#done') !== null && document.querySelector('form[data-unsaved]') === null
  if (name !== null && isStored) localStorage.removeItem(name)
  window.addEventListener('submit', forget)
}
