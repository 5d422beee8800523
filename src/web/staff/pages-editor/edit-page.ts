import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Phrase } from '#src/contract/language.ts'
import type { Refusal } from '#src/contract/problem.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { doneIn, type Framed, framed, select } from '#src/web/account/index.ts'
import { field, folded, hidden, textArea } from '../pages/fields.ts'
import { refusedIn } from '../pages/refused.ts'
import { blockForms, blockTypes } from './block-fields.ts'
import { blockHtml, type Options } from './block-html.ts'
import type { Content, Edited } from './page-form.ts'
import { editorRefusals, editorText as text } from './text.ts'

/** What the editor of a page shows. */
export type EditView = {
  readonly school: School
  readonly token: string
  readonly done: string
  readonly page: Content
  readonly edited: Edited
  readonly options: Options
  /** Whether the blocks are not those that are stored. */
  readonly isUnsaved: boolean
  readonly refusal: Refusal | undefined
}

/** The address of the editor of a page. */
export const editPath = (id: string): string => `/staff/pages/${id}`

const sayIn =
  ({ options: { language } }: EditView) =>
  (phrase: Phrase, values: Record<string, string | number> = {}): string =>
    fill(phrase, language, values)

const settingsOf = (view: EditView): Html => {
  const say = sayIn(view)
  const { fields } = view.edited
  const line = (name: keyof typeof text.fields & keyof typeof fields): Html =>
    field({ name, label: say(text.fields[name]), value: fields[name] })
  const choices = Object.entries(text.visibilities).map(([value, phrase]) => ({ value, label: say(phrase) }))
  const isWrong = view.refusal?.extras.errors?.some(({ pointer }) => !/^\/(?:blocks|title)/.test(pointer)) ?? false
  return folded(
    say(text.settings),
    html`${line('path')}
${select('visibility', say(text.fields.visibility), fields.visibility, choices)}
${line('nav_label')}
${textArea({ name: 'redirects', label: say(text.fields.redirects), value: fields.redirects })}
${line('seo_title')}
${line('seo_description')}`,
    isWrong || view.refusal?.problem.code === 'path_taken',
  )
}

const act = (name: string, label: string, isMain = false): Html =>
  html`<button${isMain && html` class="main"`} type="submit" name="act" value="${name}">${label}</button>\n`

const moreOf = (view: EditView): Html => {
  const say = sayIn(view)
  const { status, is_home: isHome, visibility } = view.page
  return folded(
    say(text.more),
    html`${
      status !== 'published' &&
      html`${field({ name: 'at', label: say(text.fields.at), value: view.edited.fields.at, attributes: html`type="datetime-local"` })}
<p class="buttons">${act('schedule', say(text.schedule))}</p>\n`
    }<p class="buttons">${status !== 'draft' && act('unpublish', say(text.unpublish))}${
      isHome ? act('clearHome', say(text.clearHome)) : visibility !== 'members' && act('setHome', say(text.setHome))
    }${act('copy', say(text.copy))}${act('delete', say(text.delete))}</p>`,
    view.refusal?.extras.errors?.[0]?.pointer === '/at',
  )
}

const blocksOf = (view: EditView): Html => {
  const say = sayIn(view)
  const { blocks } = view.edited
  if (view.page.kind === 'static') return html``
  const choices = blockTypes.map(value => ({ value, label: say(blockForms[value].name) }))
  return html`<h2>${say(text.blocks)}</h2>
${blocks.length === 0 && html`<p>${say(text.noBlocks)}</p>`}
${blocks.map((block, index) => blockHtml(block, index, blocks.length, view.options))}
<section class="card">
${select('add_type', say(text.addBlock), 'text', choices)}
<p class="buttons">${act('add', say(text.addButton))}</p>
</section>`
}

// Of an error in a block the page says in which one, and what the API says of it.
const noticeOf = (view: EditView): Pick<Framed, 'notice' | 'status'> => {
  const { refusal, done, isUnsaved, options } = view
  const { language } = options
  const [error] = refusal?.extras.errors ?? []
  const [, index, rest = ''] = /^\/blocks\/(\d+)(.*)$/.exec(error?.pointer ?? '') ?? []
  const block = index === undefined ? undefined : view.edited.blocks[Number(index)]
  if (refusal !== undefined && error !== undefined && block !== undefined) {
    const kind = fill(blockForms[block.type].name, language)
    const where = fill(text.blockIn, language, { n: Number(index) + 1, kind })
    return {
      notice: { kind: 'refused', text: `${where}: ${rest.slice(1)} ${error.message}` },
      status: refusal.problem.status,
    }
  }
  if (refusal !== undefined) return refusedIn(refusal, language, editorRefusals)
  const notice = isUnsaved
    ? ({ kind: 'done', text: fill(text.unsaved, language) } as const)
    : doneIn(text.done, done, language)
  return notice === undefined ? {} : { notice }
}

const stateOf = (view: EditView): Html => {
  const say = sayIn(view)
  const { status, is_home: isHome, has_changes: hasChanges, url } = view.page
  const words = [say(text.statuses[status]), ...(isHome ? [say(text.home)] : []), ...(hasChanges === true ? [say(text.hasChanges)] : [])]
  return html`<p>${words.join(' · ')}${status === 'published' && html` · <a href="${new URL(url).pathname}">${say(text.show)}</a>`}</p>`
}

/** The editor of a page: one form with all blocks, whose buttons say what is done with it. */
export const editPage = (view: EditView): Reply => {
  const say = sayIn(view)
  const { page, edited, token, school, options } = view
  const saving = html`<p class="buttons">${act('save', say(text.save), true)}${page.kind === 'content' && act('preview', say(text.preview))}${act('publish', say(text.publish))}</p>`
  return framed({
    school,
    language: options.language,
    title: page.title,
    isWide: true,
    ...noticeOf(view),
    body: html`${stateOf(view)}
<form method="post" action="${editPath(page.id)}" enctype="multipart/form-data">
${hidden({ token, revision: page.revision })}
${saving}
${field({ name: 'title', label: say(text.fields.title), value: edited.fields.title, attributes: html`type="text" maxlength="200"` })}
${settingsOf(view)}
${blocksOf(view)}
${saving}
${moreOf(view)}
</form>
<p><a href="${editPath(page.id)}/versions">${say(text.versions)}</a></p>
<p class="quiet"><a href="/staff/pages">${say(text.back)}</a></p>`,
  })
}
