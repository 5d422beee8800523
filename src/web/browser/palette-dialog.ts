import { fetchGroups, type Group, type Hit, keepRecent, readRecent } from './palette-hits.ts'
import { fillIn, readTexts } from './texts.ts'

const DELAY_MS = 120

const make = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...inside: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...inside)
  return element
}

/** The search of the console in a dialog: what is found while one types, by arrows and Enter. */
export class PaletteDialog {
  readonly #texts = readTexts<'title' | 'none' | 'recent' | 'searching' | 'failed' | 'count' | 'all'>('palette')
  readonly #person: string
  readonly #page: string
  readonly #input: HTMLInputElement
  readonly #list = make('div', { role: 'listbox', id: 'palette-list', 'aria-label': this.#texts.title })
  readonly #status = make('p', { role: 'status', class: 'quiet' })
  readonly #dialog: HTMLDialogElement
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked: AbortController | undefined

  constructor(form: HTMLFormElement) {
    this.#person = form.dataset.palette ?? ''
    this.#page = form.action
    this.#input = make('input', {
      type: 'search',
      role: 'combobox',
      autocomplete: 'off',
      maxlength: '200',
      spellcheck: 'false',
      'aria-expanded': 'true',
      'aria-controls': 'palette-list',
      'aria-autocomplete': 'list',
      'aria-label': this.#texts.title,
      placeholder: this.#texts.title,
    })
    this.#dialog = make(
      'dialog',
      { class: 'dialog palette', 'aria-label': this.#texts.title },
      this.#input,
      this.#list,
      this.#status,
    )
    this.#input.addEventListener('input', () => this.#ask(DELAY_MS))
    this.#input.addEventListener('keydown', event => this.#handleKey(event))
    this.#dialog.addEventListener('click', event => {
      if (event.target === this.#dialog) this.#dialog.close()
    })
    document.body.append(this.#dialog)
  }

  open(typed: string): void {
    if (!this.#dialog.open) this.#dialog.showModal()
    if (typed !== '') this.#input.value = typed
    this.#input.focus()
    if (typed === '') this.#input.select()
    this.#ask(0)
  }

  #ask(delay: number): void {
    clearTimeout(this.#timer)
    this.#asked?.abort()
    const asked = new AbortController()
    this.#asked = asked
    this.#status.textContent = this.#texts.searching
    this.#timer = setTimeout(() => void this.#search(this.#input.value.trim(), asked.signal), delay)
  }

  async #search(q: string, signal: AbortSignal): Promise<void> {
    const groups = await fetchGroups(q, signal).catch(() => undefined)
    // A later letter has asked again.
    if (signal.aborted) return
    const recent = { name: this.#texts.recent, hits: q === '' ? readRecent(this.#person) : [] }
    this.#show([recent, ...(groups ?? [])].filter(({ hits }) => hits.length > 0))
    const count = this.#options.length
    if (groups === undefined) this.#status.textContent = this.#texts.failed
    else this.#status.textContent = count === 0 ? this.#texts.none : fillIn(this.#texts.count, { n: String(count) })
  }

  get #options(): HTMLAnchorElement[] {
    return [...this.#list.querySelectorAll<HTMLAnchorElement>('[role=option]')]
  }

  get #active(): HTMLAnchorElement | undefined {
    return this.#options.find(option => option.ariaSelected === 'true')
  }

  #show(groups: readonly Group[]): void {
    let count = 0
    const renderHit = (hit: Hit): Node => {
      const option = make(
        'a',
        { role: 'option', id: `palette-${count++}`, href: hit.href, tabindex: '-1', 'aria-selected': 'false' },
        make('bdi', {}, hit.name),
        ...(hit.about === '' ? [] : [make('small', {}, make('bdi', {}, hit.about))]),
      )
      option.addEventListener('click', () => keepRecent(this.#person, hit))
      return option
    }
    const rendered = groups.map(({ name, hits }, at) =>
      make(
        'div',
        { role: 'group', 'aria-labelledby': `palette-group-${at}` },
        make('h3', { id: `palette-group-${at}`, role: 'presentation' }, name),
        ...hits.map(renderHit),
      ),
    )
    this.#list.replaceChildren(...rendered)
    this.#choose(this.#options[0])
  }

  #choose(option: HTMLAnchorElement | undefined): void {
    for (const one of this.#options) one.ariaSelected = String(one === option)
    if (option === undefined) this.#input.removeAttribute('aria-activedescendant')
    else {
      this.#input.setAttribute('aria-activedescendant', option.id)
      option.scrollIntoView({ block: 'nearest' })
    }
  }

  #handleKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const options = this.#options
    const at = this.#active === undefined ? -1 : options.indexOf(this.#active)
    if (event.key === 'ArrowDown') this.#choose(options[(at + 1) % options.length])
    else if (event.key === 'ArrowUp') this.#choose(options.at(at <= 0 ? -1 : at - 1))
    else if (event.key === 'Enter') this.#open()
    else return
    event.preventDefault()
  }

  // While results of the last letters are on their way, Enter leads to the page with all of them.
  #open(): void {
    const active = this.#status.textContent === this.#texts.searching ? undefined : this.#active
    if (active !== undefined) active.click()
    else location.assign(`${this.#page}?${new URLSearchParams({ q: this.#input.value })}`)
  }
}
