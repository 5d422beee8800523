import { isInTable } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { type ActionName, actions } from './commands.ts'
import { create, createIcon, type IconName, moveFocus } from './dom.ts'
import { openMenu } from './menu.ts'
import type { EditorTexts } from './words.ts'

/** What the toolbar does beside the actions on a text. */
export type Own = {
  readonly link: () => void
  readonly picture: (() => void) | undefined
  /** Shows or hides the preview, and says which. */
  readonly preview: (() => boolean) | undefined
  readonly toMarkdown: () => void
  readonly hasFold: boolean
}

/** A toolbar, which shows how the text at the selection is. */
export type Toolbar = {
  readonly element: HTMLElement
  update(view: EditorView): void
  /** Shows that the text is edited as Markdown, with nothing but the way back. */
  setMarkdown(isOn: boolean): void
}

const HEADINGS = ['paragraph', 'heading2', 'heading3', 'heading4'] as const
const MORE = ['strike', 'code', 'codeBlock', 'rule'] as const
const IN_TABLE = [
  'addRow',
  'addColumn',
  'alignLeft',
  'alignCenter',
  'alignRight',
  'deleteRow',
  'deleteColumn',
  'deleteTable',
] as const
const MARKED = ['strong', 'em', 'bullets', 'numbers', 'quote'] as const

const separator = (): HTMLElement => create('span', { class: 'separator' })

type MakeButton = (
  icon: IconName,
  label: string,
  click: () => void,
  attributes?: Readonly<Record<string, string>>,
) => HTMLButtonElement

const createToggle = (button: MakeButton, texts: EditorTexts, toggle: () => boolean): HTMLButtonElement => {
  const one = button('preview', texts.preview, () => one.setAttribute('aria-pressed', String(toggle())), {
    'aria-pressed': 'false',
    'data-action': 'preview',
  })
  return one
}

/** Builds the toolbar: one stop of the Tab key, with arrows between its buttons. */
export const createToolbar = (getView: () => EditorView, texts: EditorTexts, own: Own): Toolbar => {
  const run = (name: ActionName): void => {
    const view = getView()
    actions[name].run(view.state, view.dispatch, view)
    view.focus()
  }
  const button: MakeButton = (icon, label, click, attributes = {}) => {
    const one = create(
      'button',
      { type: 'button', class: 'icon-button', 'aria-label': label, title: label, ...attributes },
      createIcon(icon),
    )
    one.addEventListener('click', click)
    return one
  }
  const entries = (names: readonly ActionName[]) => names.map(name => ({ label: texts[name], run: () => run(name) }))
  const mark = (name: (typeof MARKED)[number]): HTMLButtonElement =>
    button(name, texts[name], () => run(name), { 'aria-pressed': 'false', 'data-action': name })
  const menuButton = (
    icon: IconName,
    label: string,
    entriesNow: () => Parameters<typeof openMenu>[1],
  ): HTMLButtonElement => {
    const one = button(icon, label, () => openMenu(one, entriesNow()), {
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    })
    return one
  }
  const heading = menuButton('heading', texts.heading, () =>
    HEADINGS.map(name => ({
      label: texts[name],
      isOn: actions[name].isOn?.(getView().state) === true,
      run: () => run(name),
    })),
  )
  const table = menuButton('table', texts.table, () => entries(isInTable(getView().state) ? IN_TABLE : ['table']))
  const more = menuButton('more', texts.more, () => entries([...MORE, ...(own.hasFold ? (['fold'] as const) : [])]))
  const word = (icon: IconName, label: string, click: () => void): HTMLButtonElement => {
    const one = button(icon, label, click)
    one.append(create('span', { class: 'word' }, label))
    return one
  }
  const markdown = create('button', { type: 'button', 'aria-pressed': 'false' }, texts.markdown)
  markdown.addEventListener('click', own.toMarkdown)
  const link = button('link', texts.link, own.link, { 'aria-pressed': 'false', 'data-action': 'link' })
  const parts = [
    [heading, mark('strong'), mark('em'), link],
    [mark('bullets'), mark('numbers'), mark('quote'), table, more],
    own.picture === undefined ? [] : [word('picture', texts.picture, own.picture)],
    [
      button('undo', texts.undo, () => run('undo')),
      ...(own.preview === undefined ? [] : [createToggle(button, texts, own.preview)]),
      markdown,
    ],
  ]
  const element = create('div', { role: 'toolbar', class: 'toolbar', 'aria-label': texts.toolbar })
  for (const part of parts) element.append(...(part.length === 0 ? [] : [separator(), ...part]))
  element.firstElementChild?.remove()
  element.lastElementChild?.before(create('span', { class: 'grow' }))
  keepOneStop(element)
  return {
    element,
    update({ state }) {
      for (const one of element.querySelectorAll<HTMLElement>('[data-action]')) {
        const { action } = one.dataset
        const isOn = MARKED.find(name => name === action)
        if (isOn !== undefined) one.setAttribute('aria-pressed', String(actions[isOn].isOn?.(state) === true))
      }
    },
    setMarkdown(isOn) {
      for (const one of element.querySelectorAll<HTMLElement>(':scope > *'))
        one.hidden = isOn && one !== markdown && one.dataset.action !== 'preview'
      markdown.setAttribute('aria-pressed', String(isOn))
      setStop(list(element), isOn ? markdown : heading)
    },
  }
}

const list = (element: HTMLElement): HTMLElement[] =>
  [...element.querySelectorAll<HTMLElement>(':scope > button')].filter(one => !one.hidden)

const setStop = (buttons: readonly HTMLElement[], stop: HTMLElement | undefined): void => {
  for (const one of buttons) one.tabIndex = one === stop ? 0 : -1
}

// https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/
const keepOneStop = (element: HTMLElement): void => {
  setStop(list(element), list(element)[0])
  element.addEventListener('focusin', ({ target }) => {
    const buttons = list(element)
    if (buttons.includes(target as HTMLElement)) setStop(buttons, target as HTMLElement)
  })
  element.addEventListener('keydown', event => {
    const buttons = list(element)
    if (buttons.includes(event.target as HTMLElement)) moveFocus(event, buttons, 'row')
  })
}
