import { history } from 'prosemirror-history'
import { type Node, Slice } from 'prosemirror-model'
import { EditorState } from 'prosemirror-state'
import { type EditorProps, EditorView } from 'prosemirror-view'
import { actions } from './commands.ts'
import { create } from './dom.ts'
import { editorKeys, typingRules } from './keys.ts'
import { askForLink } from './links.ts'
import { type Options, readOptions } from './options.ts'
import { cleanPasted } from './paste.ts'
import { type Addresses, buildViews, createPicturePanel, picturesIn, showWaiting, uploadPictures } from './pictures.ts'
import { createPreview, findAddresses, renderText } from './preview.ts'
import { schema } from './schema.ts'
import { type Offer, slashMenu } from './slash.ts'
import { createStore } from './store.ts'
import { tablePlugins } from './tables.ts'
import { type OpenText, openText } from './text.ts'
import { createToolbar, type Toolbar } from './toolbar.ts'
import type { EditorTexts } from './words.ts'

type Field = {
  readonly area: HTMLTextAreaElement
  readonly form: HTMLFormElement
  readonly texts: EditorTexts
  readonly options: Options
  readonly addresses: Addresses
  readonly mount: HTMLElement
  readonly note: HTMLElement
  readonly toolbar: Toolbar
  readonly panel: ReturnType<typeof createPicturePanel>
  readonly preview: ReturnType<typeof createPreview>
  /** What is open as rich text; nothing while the text is edited as Markdown. */
  rich: { readonly view: EditorView; readonly text: OpenText } | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  isWriting: boolean
}

const WAIT_MS = 250

const say = ({ note }: Field, sentence: string): void => {
  note.textContent = sentence
}

const getView = ({ rich }: Field): EditorView => {
  if (rich === undefined) throw new Error('the text is edited as Markdown')
  return rich.view
}

/** Writes the text into the field of the form, as whoever types there does. */
const write = (field: Field): void => {
  clearTimeout(field.timer)
  if (field.timer === undefined || field.rich === undefined) return
  field.timer = undefined
  const text = field.rich.text.write(field.rich.view.state.doc)
  if (text === field.area.value) return
  field.area.value = text
  field.isWriting = true
  field.area.dispatchEvent(new Event('input', { bubbles: true }))
  field.isWriting = false
}

const writeSoon = (field: Field): void => {
  clearTimeout(field.timer)
  field.timer = setTimeout(() => write(field), WAIT_MS)
}

const upload = (field: Field, files: readonly File[], at: number): boolean => {
  const { pictures } = field.options
  if (pictures === undefined || files.length === 0) return false
  const { addresses, texts, form } = field
  const store = createStore(form, pictures)
  void uploadPictures(getView(field), files, at, { store, addresses, texts, say: sentence => say(field, sentence) })
  return true
}

const choosePictures = (field: Field): void => {
  const input = create('input', { type: 'file', accept: 'image/png,image/jpeg,image/webp,image/gif', multiple: true })
  input.addEventListener('change', () => upload(field, [...(input.files ?? [])], getView(field).state.selection.to))
  input.click()
}

const OFFERED = ['heading2', 'heading3', 'bullets', 'numbers', 'quote', 'table', 'codeBlock', 'rule'] as const

const listOffers = (field: Field): Offer[] => {
  const { texts, options } = field
  const named = [...OFFERED, ...(options.fold ? (['fold'] as const) : [])]
  const offers = named.map(name => ({
    label: texts[name],
    run: (view: EditorView) => void actions[name].run(view.state, view.dispatch, view),
  }))
  return options.pictures === undefined
    ? offers
    : [...offers, { label: texts.picture, run: () => choosePictures(field) }]
}

const createState = (field: Field, document: Node): EditorState => {
  const { texts, note } = field
  const isOpenEnded = document.lastChild?.type === schema.nodes.paragraph
  // Below a table or a picture there is a line to go on; an empty one is not written.
  const doc = isOpenEnded ? document : document.copy(document.content.addToEnd(schema.nodes.paragraph.create()))
  const link = (): boolean => {
    askForLink(getView(field), texts)
    return true
  }
  const leave = (): boolean => {
    note.focus()
    return true
  }
  const plugins = [
    slashMenu(listOffers(field), texts.offers),
    ...editorKeys({ link, leave }),
    typingRules(),
    history(),
    showWaiting(),
    ...tablePlugins(),
  ]
  return EditorState.create({ doc, plugins })
}

const isPictureAlone = (html: string): boolean => html === '' || /^\s*(?:<meta[^>]*>)?\s*<img[^>]*>\s*$/i.test(html)

const buildHandlers = (field: Field): Pick<EditorProps, 'handlePaste' | 'handleDrop' | 'handleDOMEvents'> => ({
  handlePaste: (view, event, slice) => {
    const html = event.clipboardData?.getData('text/html') ?? ''
    if (isPictureAlone(html) && upload(field, picturesIn(event.clipboardData), view.state.selection.to)) return true
    return slice.eq(Slice.empty)
  },
  handleDrop: (view, event) => {
    if ((event.dataTransfer?.files.length ?? 0) === 0) return false
    const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? view.state.doc.content.size
    upload(field, picturesIn(event.dataTransfer), at)
    // A browser would leave the page for a file that is dropped.
    event.preventDefault()
    return true
  },
  handleDOMEvents: {
    blur: () => {
      write(field)
      return false
    },
  },
})

const createView = (field: Field, document: Node): EditorView => {
  const { area, mount, texts } = field
  const label = area.labels?.[0]
  if (label) label.id ||= `${area.id}-label`
  return new EditorView(mount, {
    state: createState(field, document),
    attributes: {
      class: 'prose',
      role: 'textbox',
      'aria-multiline': 'true',
      ...(label ? { 'aria-labelledby': label.id } : { 'aria-label': texts.toolbar }),
      ...(area.ownerDocument.getElementById(`${area.id}-error`) === null
        ? {}
        : { 'aria-describedby': `${area.id}-error` }),
      ...(area.hasAttribute('aria-invalid') ? { 'aria-invalid': 'true' } : {}),
      ...(area.lang === '' ? {} : { lang: area.lang }),
      dir: 'auto',
      spellcheck: 'true',
    },
    nodeViews: buildViews(field.addresses, field.texts),
    transformPastedHTML: cleanPasted,
    dispatchTransaction(tr) {
      const view = this as unknown as EditorView
      view.updateState(view.state.apply(tr))
      show(field, view)
      if (!tr.docChanged) return
      writeSoon(field)
      field.preview.follow()
    },
    ...buildHandlers(field),
  })
}

const show = ({ toolbar, panel }: Field, view: EditorView): void => {
  toolbar.update(view)
  panel.update()
}

const findPictures = async (field: Field): Promise<void> => {
  const { renderer } = field.options
  if (renderer === undefined || !/\(<?fil_/.test(field.area.value)) return
  const rendered = await renderText(field.form, renderer)
  for (const [id, url] of rendered === undefined ? [] : findAddresses(rendered)) field.addresses.set(id, url)
  field.rich?.view.setProps({ nodeViews: buildViews(field.addresses, field.texts) })
}

// What a form says and has for those without scripts serves whoever edits Markdown too.
const showWithoutScripts = ({ area, form, rich }: Field): void => {
  const hint = document.getElementById(`${area.id}-hint`)
  for (const one of [...form.querySelectorAll<HTMLElement>('[data-without-scripts]'), ...(hint === null ? [] : [hint])])
    one.hidden = rich !== undefined
}

/** Opens the text as rich text, if it is one that can be written without changing it; says so where it is not. */
const openRich = (field: Field): boolean => {
  const { area, options, texts, toolbar } = field
  const text = openText(area.value, { fold: options.fold })
  toolbar.setMarkdown(text === undefined)
  area.hidden = text !== undefined
  say(field, text === undefined ? texts.onlyMarkdown : '')
  if (text === undefined) return false
  field.rich = { text, view: createView(field, text.document) }
  showWithoutScripts(field)
  show(field, field.rich.view)
  void findPictures(field)
  return true
}

const closeRich = (field: Field): void => {
  write(field)
  field.rich?.view.destroy()
  field.rich = undefined
  field.panel.element.hidden = true
  field.area.hidden = false
  field.toolbar.setMarkdown(true)
  showWithoutScripts(field)
}

const toggle = (field: Field): void => {
  if (field.rich !== undefined) {
    closeRich(field)
    field.area.focus()
  } else if (openRich(field)) getView(field).focus()
}

const follow = (field: Field): void => {
  const { area, form } = field
  const reopen = (): void => {
    if (field.rich === undefined) return
    clearTimeout(field.timer)
    field.timer = undefined
    closeRich(field)
    openRich(field)
  }
  area.addEventListener('input', () => {
    if (field.isWriting) return
    field.preview.follow()
    // Something else wrote into the field, such as a draft that came back.
    reopen()
  })
  form.addEventListener('reset', () => setTimeout(reopen))
  form.addEventListener('submit', () => write(field), { capture: true })
  form.addEventListener('formdata', ({ formData }) => {
    write(field)
    if (formData.has(area.name)) formData.set(area.name, area.value)
  })
  area.labels?.[0]?.addEventListener('click', () => field.rich?.view.focus())
}

/** Turns a text area of a form into an editor of the same text; the text area stays the field of the form. */
export const createEditor = (area: HTMLTextAreaElement, form: HTMLFormElement, texts: EditorTexts): void => {
  const options = readOptions(area, form)
  const { renderer } = options
  const read = () => (renderer === undefined ? Promise.resolve(undefined) : renderText(form, renderer))
  const preview = createPreview(texts.preview, texts.noPreview, read)
  const mount = create('div')
  // The place to which Escape leads, from where Tab goes on to the next field.
  const note = create('p', { class: 'quiet editor-note', role: 'status', tabindex: '-1' })
  const view = (): EditorView => getView(field)
  const toolbar = createToolbar(view, texts, {
    link: () => askForLink(view(), texts),
    picture: options.pictures && (() => choosePictures(field)),
    preview: renderer && (() => preview.toggle()),
    toMarkdown: () => toggle(field),
    hasFold: options.fold,
  })
  const panel = createPicturePanel(view, texts)
  const field: Field = {
    area,
    form,
    texts,
    options,
    mount,
    note,
    toolbar,
    panel,
    preview,
    addresses: new Map(),
    rich: undefined,
    timer: undefined,
    isWriting: false,
  }
  const frame = create('div', { class: 'editor' }, toolbar.element, panel.element, mount)
  // Whoever began to type before the module was there goes on in the editor.
  const isTyping = document.activeElement === area
  area.before(frame)
  frame.append(area, note)
  frame.after(preview.element)
  const isRich = openRich(field)
  if (isTyping) (isRich ? getView(field) : area).focus()
  follow(field)
}
