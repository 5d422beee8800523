import { randomUUID } from 'node:crypto'
import { Import } from '#src/areas/moving/index.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Refusal } from '#src/contract/problem.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type FormWithFiles,
  fileForm,
  formKeyIn,
  hidden,
  mainButton,
  noticeFor,
  page,
  renderFileInput,
  shownAgain,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext } from '../../audience.ts'
import { fileErrorIn, fileRefusals, storeFile } from '../../files/uploads/index.ts'
import { IMPORTS, importPath, isKind, type Kind, kinds, refusals } from './kinds.ts'

const text = texts.staff.imports.create

const PATH = `${IMPORTS}/new`

const ACCEPT =
  '.csv,.tsv,.txt,.xlsx,.zip,text/csv,text/plain,application/zip,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

// Lecturers import for their own courses only.
const chooseKind = ({ isStaff }: StaffContext, word: string): Kind => {
  if (!isStaff) return 'learning'
  return isKind(word) ? word : 'people'
}

const renderKinds = ({ t, isStaff }: StaffContext, chosen: Kind): Html | Html[] =>
  isStaff
    ? html`<fieldset><legend>${t(text.what)}</legend><div class="choices">
${(['people', 'learning'] as const).map(kind => html`<label class="choice"><input type="radio" name="kind" value="${kind}"${kind === chosen && html` checked`}><span><b>${t(texts.staff.imports.common.kinds[kind])}</b><small>${t(text.about[kind])}</small></span></label>\n`)}</div></fieldset>`
    : hidden({ kind: chosen })

const show = async (context: StaffContext, again?: { typed: Pairs; refusal: Refusal }): Promise<Reply> => {
  const { t, language, query } = context
  const { typed = [], refusal } = again ?? {}
  const kind = chooseKind(context, formField(typed, 'kind') || (query.get('kind') ?? ''))
  const file = renderFileInput(
    {
      id: 'file',
      purpose: 'import',
      label: t(text.file),
      hint: t(text.fileHint),
      accept: ACCEPT,
      isRequired: true,
      error: fileErrorIn(refusal, language),
    },
    language,
  )
  return context.frame({
    title: t(text[kind]),
    ...noticeFor(refusal, language, { said: { ...refusals, ...fileRefusals } }),
    body: context.form(
      html`${hidden({ form_key: formField(typed, 'form_key') || randomUUID() })}${renderKinds(context, kind)}
${file}<p class="quiet">${t(text.safe)}</p>
${mainButton(t(text.button))}`,
      PATH,
      { hasFiles: true },
    ),
  })
}

const submit = (context: StaffContext, { form: typed, files }: FormWithFiles): Promise<Reply> =>
  shownAgain(
    async () => {
      const kind = chooseKind(context, formField(typed, 'kind'))
      const file = await storeFile(context.parts, context.person, files[0], 'import')
      const body = { upload_id: `upl_${file.slice(4)}` }
      const { id } = await context.call({
        operation: kinds[kind].create,
        body,
        returns: Import,
        ...formKeyIn(typed),
      })
      return importPath(kind, id)
    },
    refusal => show(context, { typed, refusal }),
  )

/** GET and POST /staff/imports/new: the file, and what is in it. */
export const createImport = [
  page(`GET ${PATH}`, courseTeachers, context => show(context)),
  fileForm(`POST ${PATH}`, courseTeachers, submit),
]
