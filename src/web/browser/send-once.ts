const isBusy = (form: HTMLFormElement): boolean => form.hasAttribute('data-busy')

/** Shows that a form is being sent, so that it is not sent again. */
export const markBusy = (form: HTMLFormElement, button: HTMLElement | null): void => {
  form.setAttribute('data-busy', '')
  button?.setAttribute('aria-busy', 'true')
}

/** Lets a form be sent again. */
export const release = (form: HTMLFormElement): void => {
  form.removeAttribute('data-busy')
  for (const button of form.elements) button.removeAttribute('aria-busy')
}

const releaseAll = (): void => {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-busy]')) release(form)
}

/** Whether a form that is sent leaves its page. */
export const leaves = (form: HTMLFormElement, button: HTMLElement | null): boolean => {
  const method = button?.getAttribute('formmethod') ?? form.method
  const target = button?.getAttribute('formtarget') ?? form.target
  return method === 'post' && (target === '' || target === '_self')
}

/** Marks the button of a form that is being sent, and sends no form twice. */
export const sendOnce = (): void => {
  document.addEventListener(
    'submit',
    event => {
      if (!isBusy(event.target as HTMLFormElement)) return
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    true,
  )
  // After the modules that send the form themselves.
  window.addEventListener('submit', event => {
    const form = event.target as HTMLFormElement
    if (!event.defaultPrevented && leaves(form, event.submitter)) markBusy(form, event.submitter)
  })
  // A page that comes back from memory, and a response that opens no page, such as a download.
  window.addEventListener('pageshow', releaseAll)
  if ('navigation' in window) window.navigation.addEventListener('navigateerror', releaseAll)
}
