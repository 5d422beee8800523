import type { Static } from 'typebox'
import { Lecturer } from '#src/areas/courses/index.ts'
import { Member, MemberPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound, refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import {
  type Act,
  type Again,
  actBesideText,
  actIn,
  buildState,
  choice,
  doneIn,
  type Field,
  type FormFile,
  fieldsFor,
  fileForm,
  form,
  formKeyIn,
  hiddenFor,
  line,
  markdown,
  noticeFor,
  page,
  readDone,
  renderConflict,
  required,
  shownAgain,
  TAKE_THEIRS,
  text as textField,
} from '#src/web/page/index.ts'
import { courseTeachers, type StaffContext, staff } from '../../audience.ts'
import { besides } from '../../console/frame.ts'
import { deletePart, fileRefusals, picturePart, storeFile } from '../../files/uploads/index.ts'
import { staffText } from '../../pages/text.ts'
import { teachingText } from '../../teaching/text.ts'
import { plainEditor, previewButton } from '../../texts/index.ts'

const { common: text, fields, lecturerRefusals } = texts.staff.lecturers

const said = {
  ...staffText.refusals,
  ...teachingText.refusals,
  ...fileRefusals,
  'invalid_body avatar_file_id': fileRefusals['invalid_body file_id'],
  ...lecturerRefusals,
}

const PATH = '/staff/lecturers'

/** The profile of a lecturer as pages get it. */
type LecturerShown = Encoded<Static<typeof Lecturer>>

// A line is a name and, after its last space, an address.
const links: Field<LecturerShown['links']> = {
  ...textField({ most: 100_000 }),
  read: (form, name) =>
    formField(form, name)
      .split(/\r?\n/)
      .map(one => one.trim())
      .filter(one => one !== '')
      .map(one => {
        const [, label = '', url = ''] = /^(.*)\s(\S+)$/.exec(one) ?? []
        if (!/^https?:\/\//.test(url))
          refuseInvalid([{ pointer: '/links', code: 'url', message: 'is not a name and an address' }])
        return { label: label.trim(), url }
      }),
  write: (all, name) => [[name, all.map(({ label, url }) => `${label} ${url}`).join('\n')]],
}

const email: Field<string> = {
  ...line({ most: 254 }),
  control: ({ name, typed, about }) =>
    html`<input id="${name}" name="${name}" type="email" maxlength="254" autocomplete="off" value="${formField(typed, name)}"${about}>`,
}

const profileFields = fieldsFor<LecturerShown & { readonly email: string }>()(fields, {
  display_name: required(line({ most: 120 })),
  email,
  bio: markdown({ most: 10_000, rows: 6, editor: plainEditor('bio') }),
  links,
  visibility: choice(['visible', 'hidden']),
  slug: required(line({ most: 80 })),
})

// Lecturers change what visitors read of them, and a new profile has no address yet.
const namesFor = ({ isStaff, params }: StaffContext) => {
  if (!isStaff) return ['display_name', 'bio', 'links'] as const
  return profileFields.names.filter(name => name !== 'slug' || params.id !== undefined)
}

const readParams = ({ params }: StaffContext) => ({ lecturer_id: params.id ?? '' })

// Profiles are public; whoever may not change one sees it on the site alone.
const readLecturer = async (context: StaffContext): Promise<LecturerShown> => {
  const lecturer = await context.call({ operation: 'getLecturer', params: readParams(context), returns: Lecturer })
  if (lecturer.allowed_actions?.includes('updateLecturer') !== true)
    throw new Refusal(notFound, 'There is no such lecturer.')
  return lecturer
}

const readEmail = async ({ call, isStaff }: StaffContext, { member_id: id }: LecturerShown): Promise<string> =>
  id == null || !isStaff
    ? ''
    : (await call({ operation: 'getMember', params: { member_id: id }, returns: Member })).email

const readPairs = async (context: StaffContext, lecturer: LecturerShown | undefined): Promise<Pairs> => {
  const stored = lecturer && { ...lecturer, email: await readEmail(context, lecturer) }
  return profileFields.pairs(stored ?? { visibility: 'visible' }, context)
}

const showProfile = async (context: StaffContext, refused?: Again): Promise<Reply> => {
  const { t, language, request, isStaff, form } = context
  const lecturer = context.params.id === undefined ? undefined : await readLecturer(context)
  const stored = await readPairs(context, lecturer)
  const state = buildState(context, refused, 'save', stored)
  const inside = html`${hiddenFor(state, lecturer?.revision)}
${profileFields.rows(state, namesFor(context))}
<div class="buttons"><button class="main" type="submit" name="act" value="save">${t(lecturer === undefined ? texts.words.addLecturer : texts.words.save)}</button></div>
${previewButton(t, 'bio')}`
  return context.frame({
    title: lecturer?.display_name ?? t(texts.words.addLecturer),
    notice: doneIn(text.done, readDone(request), language),
    ...noticeFor(refused?.refusal, language, { sets: [profileFields], said }),
    ...(lecturer?.visibility === 'visible' && {
      actions: html`<a class="button" href="/lecturers/${lecturer.slug}">${t(text.site)}</a>`,
    }),
    ...besides(
      html`${renderConflict(context, refused && { ...refused, stored, fields: profileFields, within: 'profile' })}${form(inside, undefined, { id: 'profile', hasFiles: lecturer !== undefined, draft: 'profile' })}`,
      lecturer !== undefined &&
        html`${picturePart(context, { ...lecturer, purpose: 'avatar', picture: lecturer.avatar, within: 'profile' }, text)}\n${isStaff && deletePart(context, lecturer.revision, text)}`,
    ),
  })
}

// The member who has an address. Refuses one that nobody has, as an error of the field.
const findMember = async ({ call }: StaffContext, email: string): Promise<string | null> => {
  if (email === '') return null
  const query: Pairs = [['email', email]]
  const isAddress = email.length >= 3 && email.length <= 254
  const [member] = isAddress ? (await call({ operation: 'listMembers', query, returns: MemberPage })).data : []
  if (member === undefined) refuseInvalid([{ pointer: '/email', code: 'unknown', message: 'is of no member' }])
  return member?.id ?? null
}

const readProfile = async (context: StaffContext, typed: Pairs) => {
  const { email, slug = '', ...body } = profileFields.body(typed, context, namesFor(context))
  const own = slug === '' ? body : { ...body, slug }
  return email === undefined ? own : { ...own, member_id: await findMember(context, email) }
}

const profileActs = {
  save: { operation: 'updateLecturer', offered: () => false },
  picture: { operation: 'updateLecturer', offered: () => false },
  remove_picture: { operation: 'updateLecturer', body: { avatar_file_id: null }, offered: () => false },
  delete: { operation: 'deleteLecturer', offered: () => false },
} as const satisfies Readonly<Record<string, Act<LecturerShown>>>

const perform = async (context: StaffContext, typed: Pairs, file: FormFile | undefined): Promise<string> => {
  const { parts, person } = context
  const { name, call } = actIn(profileActs, typed, { params: readParams(context), reader: context })
  const picture = async () => ({ avatar_file_id: await storeFile(parts, person, file, 'avatar') })
  if (name === 'save')
    await context.call({ ...call, body: { ...(await readProfile(context, typed)), ...(file && (await picture())) } })
  else if (name === 'picture') await context.call({ ...call, body: await picture() })
  else await context.call(call)
  if (name === 'delete') return `${PATH}?done=deleted`
  return `${PATH}/${context.params.id}?done=saved${name === 'save' ? '' : '#picture'}`
}

const submitPicture = (context: StaffContext, typed: Pairs, work: () => Promise<string>): Promise<Reply> => {
  const act = formField(typed, 'act')
  if (act === TAKE_THEIRS) return showProfile(context, { act, typed })
  const attach = async () => {
    const stored = await readPairs(context, await readLecturer(context))
    const show = (typed: Pairs) => showProfile(context, { act: 'save', typed })
    return actBesideText(context, typed, { names: namesFor(context), stored }, { act: work, show })
  }
  return shownAgain(act === 'picture' ? attach : work, refusal =>
    showProfile(context, { act: act === 'picture' ? 'save' : act, typed, refusal }),
  )
}

/** GET and POST /staff/lecturers/new and /staff/lecturers/:id: for staff, and a profile for the lecturer whose it is. */
export const lecturerDetails = [
  page(`GET ${PATH}/new`, staff, context => showProfile(context)),
  form(`POST ${PATH}/new`, staff, (context, typed) =>
    shownAgain(
      async () => {
        const call = { operation: 'createLecturer', body: await readProfile(context, typed), ...formKeyIn(typed) }
        return `${PATH}/${(await context.call({ ...call, returns: Lecturer })).id}?done=created`
      },
      refusal => showProfile(context, { act: 'save', typed, refusal }),
    ),
  ),
  page(`GET ${PATH}/:id`, courseTeachers, context => showProfile(context)),
  fileForm(`POST ${PATH}/:id`, courseTeachers, (context, { form: typed, files: [file] }) =>
    submitPicture(context, typed, () => perform(context, typed, file)),
  ),
]
