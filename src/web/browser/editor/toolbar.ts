import { isInTable } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { type ActionName, actions } from './commands.ts'
import { create, createIcon, type IconName, moveFocus } from './dom.ts'
import { type Entry, openMenu } from './menu.ts'
import type { EditorTexts } from './words.ts'

/** What the toolbar does beside the actions on a text. */
type Own = {
  readonly link: () => void
  readonly picture: (() => void) | undefined
  /** Shows or hides the preview, and says which. */
  readonly preview: (() => boolean) | undefined
  readonly toMarkdown: () => void
  readonly hasFold: boolean
}

type Context = { readonly getView: () => EditorView; readonly texts: EditorTexts; readonly own: Own }

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

type Click = (button: HTMLButtonElement) => void

const createButton = (icon: IconName, label: string, click: Click): HTMLButtonElement => {
  const button = create('button', { type: 'button', 'aria-label': label, title: label }, createIcon(icon))
  button.addEventListener('click', () => click(button))
  return button
}

const createToggle = (icon: IconName, label: string, click: Click): HTMLButtonElement => {
  const button = createButton(icon, label, click)
  button.setAttribute('aria-pressed', 'false')
  return button
}

const createMenuButton = (icon: IconName, label: string, list: () => readonly Entry[]): HTMLButtonElement => {
  const button = createButton(icon, label, one => openMenu(one, list()))
  button.setAttribute('aria-haspopup', 'menu')
  button.setAttribute('aria-expanded', 'false')
  return button
}

const run = ({ getView }: Context, name: ActionName): void => {
  const view = getView()
  actions[name].run(view.state, view.dispatch, view)
  view.focus()
}

const listEntries = (context: Context, names: readonly ActionName[]): Entry[] =>
  names.map(name => ({ label: context.texts[name], run: () => run(context, name) }))

const listHeadings = (context: Context): Entry[] =>
  HEADINGS.map(name => ({
    label: context.texts[name],
    isOn: actions[name].isOn?.(context.getView().state) === true,
    run: () => run(context, name),
  }))

const createMarks = (context: Context): Readonly<Record<(typeof MARKED)[number], HTMLButtonElement>> => {
  const make = (name: (typeof MARKED)[number]) => createToggle(name, context.texts[name], () => run(context, name))
  return {
    strong: make('strong'),
    em: make('em'),
    bullets: make('bullets'),
    numbers: make('numbers'),
    quote: make('quote'),
  }
}

const createPicture = ({ texts, own }: Context): HTMLButtonElement[] => {
  if (own.picture === undefined) return []
  const button = createButton('picture', texts.picture, own.picture)
  button.append(create('span', { class: 'word' }, texts.picture))
  return [button]
}

const createPreviewButton = ({ texts, own: { preview } }: Context): HTMLButtonElement[] =>
  preview === undefined
    ? []
    : [createToggle('preview', texts.preview, one => one.setAttribute('aria-pressed', String(preview())))]

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

/** Builds the toolbar: one stop of the Tab key, with arrows between its buttons. */
export const createToolbar = (getView: () => EditorView, texts: EditorTexts, own: Own): Toolbar => {
  const context = { getView, texts, own }
  const marks = createMarks(context)
  const heading = createMenuButton('heading', texts.heading, () => listHeadings(context))
  const table = createMenuButton('table', texts.table, () =>
    listEntries(context, isInTable(getView().state) ? IN_TABLE : ['table']),
  )
  const more = createMenuButton('more', texts.more, () => listEntries(context, own.hasFold ? [...MORE, 'fold'] : MORE))
  const preview = createPreviewButton(context)
  const markdown = create('button', { type: 'button', 'aria-pressed': 'false' }, texts.markdown)
  markdown.addEventListener('click', own.toMarkdown)
  const groups = [
    [heading, marks.strong, marks.em, createButton('link', texts.link, own.link)],
    [marks.bullets, marks.numbers, marks.quote, table, more],
    createPicture(context),
    [createButton('undo', texts.undo, () => run(context, 'undo')), ...preview],
  ].filter(group => group.length > 0)
  const parts = groups.flatMap(group => [create('span', { class: 'separator' }), ...group]).slice(1)
  const attributes = { role: 'toolbar', class: 'toolbar', 'aria-label': texts.toolbar }
  const element = create('div', attributes, ...parts, create('span', { class: 'grow' }), markdown)
  keepOneStop(element)
  return {
    element,
    update({ state }) {
      for (const name of MARKED) marks[name].setAttribute('aria-pressed', String(actions[name].isOn?.(state) === true))
    },
    setMarkdown(isOn) {
      for (const one of parts) one.hidden = isOn && !preview.some(button => button === one)
      markdown.setAttribute('aria-pressed', String(isOn))
      setStop(list(element), isOn ? markdown : heading)
    },
  }
}
