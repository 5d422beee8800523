// What the bar of a form said when the page was sent.
const initial = new WeakMap<HTMLElement, readonly ChildNode[]>()

const findState = (form: HTMLFormElement): HTMLElement | null =>
  form.querySelector<HTMLElement>('.save .state, .draft-state') ??
  document.querySelector<HTMLElement>(`[data-bar="${form.id}"] .state`)

/** Adds the line that says how a form stands to one without a bar. It is there from the start: a button that moves while it is pressed is missed. */
export const addState = (form: HTMLFormElement, text: string): void => {
  if (findState(form) !== null) return
  const state = document.createElement('p')
  state.className = 'quiet draft-state'
  state.setAttribute('role', 'status')
  state.textContent = text
  form.append(state)
}

/** Says how a form stands; without anything, what the page said at first. */
export const say = (form: HTMLFormElement, said?: string | readonly (string | Node)[]): void => {
  const state = findState(form)
  if (state === null) return
  const first = initial.get(state) ?? [...state.childNodes]
  initial.set(state, first)
  state.replaceChildren(...(said === undefined ? first : [said].flat()))
}

/** A small button of a notice or of a bar. */
export const createButton = (label: string, act: () => void): HTMLButtonElement => {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'small'
  button.textContent = label
  button.addEventListener('click', act)
  return button
}

/** Says something at the beginning of a form, with buttons by their labels, each of which ends it. */
export const showNotice = (
  form: HTMLFormElement,
  sentence: string,
  acts: Readonly<Record<string, () => unknown>>,
): void => {
  const notice = document.createElement('div')
  notice.className = 'note notice'
  notice.setAttribute('role', 'status')
  const said = document.createElement('p')
  said.textContent = sentence
  const buttons = Object.entries(acts).map(([label, act]) =>
    createButton(label, () => {
      notice.remove()
      act()
    }),
  )
  notice.append(said, ...buttons)
  const place = form.querySelector('.work') ?? form
  place.prepend(notice)
}
