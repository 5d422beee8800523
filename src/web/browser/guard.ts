/** What a form says: names and values; a file is told by its name, size and time. */
export const describe = (form: HTMLFormElement): string =>
  JSON.stringify(
    [...new FormData(form)].map(([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.name, value.size, value.lastModified],
    ),
  )

/** Whether a form says something else than before, or its page shows what was typed and not stored. */
export const hasChanges = (form: HTMLFormElement, was: string | undefined): boolean =>
  form.hasAttribute('data-unsaved') || describe(form) !== was

/** The event of the document after a part of the page was replaced by one of the server; its detail is the form that was saved, if one was. */
export const OPENED = 'opened'

/** The event of the document by which a module asks for a sign-in beside the page. */
export const SIGN_IN = 'sign-in'

/** The event of the document after it. */
export const SIGNED_IN = 'signed-in'

/** The browser asks before a form with unsaved changes is left. */
export const guardForms = (): void => {
  const saved = new Map<HTMLFormElement, string>()
  const remember = (): void => {
    for (const form of document.querySelectorAll<HTMLFormElement>('form[data-guard]'))
      if (!saved.has(form)) saved.set(form, describe(form))
  }
  remember()
  document.addEventListener(OPENED, remember)
  window.addEventListener('beforeunload', event => {
    const isChanged = [...saved].some(([form, was]) => !form.hasAttribute('data-busy') && hasChanges(form, was))
    if (isChanged && document.querySelector('form[data-busy]') === null) event.preventDefault()
  })
}
