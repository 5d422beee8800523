// Names and values; a file is told by its name, size and time.
const describe = (form: HTMLFormElement): string =>
  JSON.stringify(
    [...new FormData(form)].map(([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.name, value.size, value.lastModified],
    ),
  )

/** The browser asks before a form with unsaved changes is left. */
export const guardForms = (): void => {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-guard]')]
  const saved = new Map(forms.map(form => [form, describe(form)]))
  window.addEventListener('beforeunload', event => {
    const isChanged = forms.some(form => !form.hasAttribute('data-busy') && describe(form) !== saved.get(form))
    if (isChanged && document.querySelector('form[data-busy]') === null) event.preventDefault()
  })
}
