import { NodeSelection, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView, type NodeView } from 'prosemirror-view'
import { fillIn } from '../texts.ts'
import { putPicture } from './commands.ts'
import { create, createId } from './dom.ts'
import { schema } from './schema.ts'
import type { EditorTexts } from './words.ts'

/** Where the pictures of a text are: the addresses of files of the school by their ids. */
export type Addresses = Map<string, string>

/** Stores a picture and returns the id and the address of its file; throws a sentence that says why not. */
export type Store = (file: File) => Promise<{ readonly id: string; readonly url: string }>

/** Shows a picture of the school, and the name of one that is elsewhere or not known yet. */
const createPictureView =
  (addresses: Addresses) =>
  ({ attrs: { src, alt } }: { readonly attrs: Record<string, string> }): NodeView => {
    const address = addresses.get(src ?? '')
    const dom =
      address === undefined
        ? create('span', { class: 'picture-name' }, alt === '' ? (src ?? '') : (alt ?? ''))
        : create('img', { src: address, alt: alt ?? '' })
    return { dom }
  }

/** How nodes are shown that are no plain elements: pictures, and the fold of a post. */
export const buildViews = (addresses: Addresses, { foldHere }: Pick<EditorTexts, 'foldHere'>) => ({
  image: createPictureView(addresses),
  fold: () => ({ dom: create('div', { class: 'fold-line' }, foldHere) }),
})

type Waiting = {
  readonly add?: { readonly id: object; readonly at: number; readonly name: string }
  readonly remove?: object
}

const waiting = new PluginKey<DecorationSet>('waiting')

const createMark = (name: string): HTMLElement => create('span', { class: 'picture-name' }, name)

/** Shows where the pictures that are being stored will stand. */
export const showWaiting = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key: waiting,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const { add, remove }: Waiting = tr.getMeta(waiting) ?? {}
        const mapped = set.map(tr.mapping, tr.doc)
        if (add !== undefined)
          return mapped.add(tr.doc, [Decoration.widget(add.at, createMark(add.name), { id: add.id })])
        return remove === undefined
          ? mapped
          : mapped.remove(mapped.find(undefined, undefined, spec => spec.id === remove))
      },
    },
    props: { decorations: state => waiting.getState(state) },
  })

type Uploading = {
  readonly store: Store
  readonly addresses: Addresses
  readonly texts: EditorTexts
  /** Says something to the person. */
  readonly say: (sentence: string) => void
}

const findWaiting = (view: EditorView, id: object): number | undefined =>
  waiting.getState(view.state)?.find(undefined, undefined, spec => spec.id === id)[0]?.from

const place = (view: EditorView, id: object, picture: { readonly src: string }): void => {
  const at = findWaiting(view, id)
  if (at === undefined) return
  putPicture({ ...picture, alt: '' }, at)(view.state, tr => {
    view.dispatch(tr.setMeta(waiting, { remove: id }))
  })
  // It is selected, so that its alternative text is asked for at once.
  view.state.doc.descendants((node, position) => {
    if (node.type === schema.nodes.image && node.attrs.src === picture.src)
      view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, position)).scrollIntoView())
  })
}

/** Stores pictures one after another, and puts each into the text where it was dropped or pasted. */
export const uploadPictures = async (
  view: EditorView,
  files: readonly File[],
  at: number,
  { store, addresses, texts, say }: Uploading,
): Promise<void> => {
  for (const file of files) {
    const id = {}
    view.dispatch(
      view.state.tr.setMeta(waiting, { add: { id, at: Math.min(at, view.state.doc.content.size), name: file.name } }),
    )
    say(fillIn(texts.uploading, { name: file.name }))
    try {
      const stored = await store(file)
      addresses.set(stored.id, stored.url)
      place(view, id, { src: stored.id })
      say(fillIn(texts.uploaded, { name: file.name }))
    } catch (error) {
      view.dispatch(view.state.tr.setMeta(waiting, { remove: id }))
      say(fillIn(texts.notUploaded, { name: file.name, reason: error instanceof Error ? error.message : '' }))
    }
  }
}

/** The pictures among some files. */
export const picturesIn = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter(({ type }) => /^image\/(?:png|jpe?g|webp|gif|avif)$/.test(type))

const findSelected = ({ state: { selection } }: EditorView): NodeSelection | undefined =>
  selection instanceof NodeSelection && selection.node.type === schema.nodes.image ? selection : undefined

const setAlt = (view: EditorView, alt: string): void => {
  const found = findSelected(view)
  if (found === undefined) return
  const tr = view.state.tr.setNodeMarkup(found.from, null, { ...found.node.attrs, alt }, found.node.marks)
  view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, found.from)))
}

const createAltInput = (getView: () => EditorView, id: string): HTMLInputElement => {
  const input = create('input', { type: 'text', id, maxlength: '500', autocomplete: 'off', dir: 'auto' })
  input.setAttribute('aria-describedby', `${id}-hint`)
  input.addEventListener('input', event => {
    // The field of the form changes with the text, and not with this.
    event.stopPropagation()
    setAlt(getView(), input.value)
  })
  input.addEventListener('keydown', event => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    getView().focus()
  })
  return input
}

/** What is known of the selected picture: a panel with its alternative text; hidden while none is selected. */
export const createPicturePanel = (getView: () => EditorView, texts: EditorTexts) => {
  const id = createId()
  const input = createAltInput(getView, id)
  const hint = create('p', { class: 'quiet hint', id: `${id}-hint` }, texts.altHint)
  const remove = create('button', { type: 'button' }, texts.removePicture)
  remove.addEventListener('click', () => {
    const view = getView()
    view.dispatch(view.state.tr.deleteSelection())
    view.focus()
  })
  const field = create('div', { class: 'field' }, create('label', { for: id }, texts.alt), input, hint)
  const element = create('div', { class: 'picture-panel', hidden: true }, field, remove)
  let shown: string | undefined
  return {
    element,
    update(): void {
      const found = findSelected(getView())
      element.hidden = found === undefined
      const before = shown
      shown = found?.node.attrs.src
      if (found === undefined) return
      if (document.activeElement !== input) input.value = found.node.attrs.alt
      // It is asked for at once where there is none.
      if (before !== shown && found.node.attrs.alt === '') input.focus()
    },
  }
}
