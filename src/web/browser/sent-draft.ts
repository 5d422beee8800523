const SENT = 'stoa:sent'

/** Remembers, for this tab, which draft was sent. */
export const nameSent = (name: string): void => sessionStorage.setItem(SENT, name)

/** Deletes the draft that was sent before this page, if the page says that it was accepted. */
export const dropSent = (): void => {
  const name = sessionStorage.getItem(SENT)
  sessionStorage.removeItem(SENT)
  if (name !== null && document.querySelector('#done') !== null) localStorage.removeItem(name)
}
