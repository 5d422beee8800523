import { LibraryFile, MAX_ALT } from '#src/areas/files/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { formRefused } from '#src/contract/problems.ts'
import { formField } from '#src/kit/form.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  buildOutcome,
  type FormWithFiles,
  factList,
  fileForm,
  hidden,
  lineControl,
  page,
  revisionIn,
  shownAgain,
} from '#src/web/page/index.ts'
import { lecturers, type StaffContext } from '../../audience.ts'
import { frameWithImages } from '../../pages/image-page.ts'
import { deletePart, fileErrorIn, fileRefusals, renderFileForm, storeFile } from '../uploads/index.ts'
import { PATH } from './list.ts'
import { type FileShown, renderThumbnail, renderUse } from './uses.ts'

const text = texts.staff.files

const ROUTE = `${PATH}/:file`

const readParams = ({ params }: StaffContext) => ({ file_id: params.file ?? '' })

type Again = { readonly sent: FormWithFiles; readonly refusal: Refusal }

const renderFacts = (file: FileShown, context: StaffContext): Html => {
  const { t, language, time } = context
  const { image, version, uploaded_by: by } = file
  return html`${file.kind === 'picture' && html`<p><a href="${file.url}" aria-label="${t(texts.words.open)}: ${file.name}">${renderThumbnail(file)}</a></p>\n`}${factList(
    [
      [t(text.kind), `${t(text.kinds[file.kind])} (${file.content_type})`],
      [t(text.purpose), t(text.purposes[file.purpose])],
      [t(text.size), formatBytes(file.byte_size, language)],
      [t(text.pixels), image === null ? undefined : `${image.width} × ${image.height}`],
      [t(text.uploaded), `${time(file.created_at)}${by === null ? '' : ` · ${by.name}`}`],
      [t(text.version), version === 1 ? undefined : String(version)],
    ],
  )}`
}

const renderUses = ({ used_by: uses }: FileShown, context: StaffContext): Html => {
  const { t } = context
  return html`<section class="card" id="uses"><h2>${t(text.usedBy)}</h2>
${uses.length === 0 ? html`<p>${t(text.unusedAbout)}</p>` : html`<ul class="list">\n${uses.map(use => html`<li>${renderUse(use, context)}</li>\n`)}</ul>`}</section>`
}

const renderNames = (file: FileShown, { t, form }: StaffContext, again: Again | undefined): Html => {
  const typed = again !== undefined && formField(again.sent.form, 'act') === 'rename' ? again.sent.form : undefined
  const state = {
    typed:
      typed ??
      ([
        ['name', file.name],
        ['alt', file.alt],
      ] as const),
    errors: new Map<string, string>(),
  }
  return form(
    html`${hidden({ act: 'rename', revision: file.revision })}${lineControl(state, {
      name: 'name',
      label: t(texts.words.name),
      hint: t(text.nameHint),
      attributes: html`type="text" maxlength="150" required`,
    })}${
      file.image !== null &&
      lineControl(state, {
        name: 'alt',
        label: t(text.alt),
        hint: t(text.altHint),
        attributes: html`type="text" maxlength="${MAX_ALT}"`,
      })
    }<div class="buttons"><button class="main" type="submit">${t(texts.words.save)}</button></div>`,
  )
}

const acceptFor = ({ kind, content_type: type }: FileShown): string => {
  if (kind === 'picture') return 'image/png,image/jpeg,image/webp'
  return kind === 'video' || kind === 'audio' ? `${kind}/*` : type
}

const renderReplacement = (file: FileShown, context: StaffContext, again: Again | undefined): Html => {
  const { t, language, request, token } = context
  if (!file.is_replaceable) return html`<p class="quiet">${t(text.notReplaceable)}</p>`
  return renderFileForm({
    action: request.path,
    token,
    language,
    fields: { act: 'replace', revision: file.revision },
    id: 'new-file',
    label: t(text.newVersion),
    button: t(text.replace),
    hint: t(text.replaceHint),
    accept: acceptFor(file),
    purpose: file.purpose,
    keepOriginal: file.keep_original,
    isNew: true,
    error: fileErrorIn(again?.refusal, language),
  })
}

const show = async (context: StaffContext, again?: Again): Promise<Reply> => {
  const { t } = context
  const file = await context.call({ operation: 'getFile', params: readParams(context), returns: LibraryFile })
  return frameWithImages(context, {
    title: file.name,
    hasCards: true,
    actions: html`<a class="button" href="${file.url}" download>${t(texts.words.download)}</a>`,
    ...buildOutcome(context, again?.refusal, { done: text.done, said: { ...fileRefusals, ...text.refusals } }),
    body: html`<section class="card">${renderFacts(file, context)}</section>
${renderUses(file, context)}
<section class="card"><h2>${t(text.names)}</h2>
${renderNames(file, context, again)}</section>
<section class="card"><h2>${t(text.replaceTitle)}</h2>
${renderReplacement(file, context, again)}</section>
${file.used_by.length === 0 && deletePart(context, file.revision, text)}`,
  })
}

const act = async (context: StaffContext, { form, files }: FormWithFiles): Promise<string> => {
  const { call, parts, person } = context
  const about = { params: readParams(context), revision: revisionIn(form) }
  switch (formField(form, 'act')) {
    case 'rename': {
      const alt = form.some(([name]) => name === 'alt') ? { alt: formField(form, 'alt') } : {}
      await call({ operation: 'updateFile', ...about, body: { name: formField(form, 'name'), ...alt } })
      return `${context.request.path}?done=saved`
    }
    case 'replace': {
      const { purpose, keep_original: keepOriginal } = await call({
        operation: 'getFile',
        params: about.params,
        returns: LibraryFile,
      })
      const stored = await storeFile(
        parts,
        person,
        files.find(({ field }) => field === 'file'),
        purpose,
        keepOriginal,
      )
      await call({ operation: 'replaceFile', ...about, body: { upload_id: `upl_${stored.slice(4)}` } })
      return `${context.request.path}?done=replaced`
    }
    case 'delete':
      await call({ operation: 'deleteFile', ...about })
      return `${PATH}?done=deleted`
    default:
      throw new Refusal(formRefused, 'The form has no valid action.')
  }
}

/** GET and POST /staff/files/:file: a file with what uses it, its name, its next version and its removal. */
export const filePages = [
  page(`GET ${ROUTE}`, lecturers, context => show(context)),
  fileForm(`POST ${ROUTE}`, lecturers, (context, sent) =>
    shownAgain(
      () => act(context, sent),
      refusal => show(context, { sent, refusal }),
    ),
  ),
]
