import type { Static } from 'typebox'
import type { Lecturer } from '#src/areas/courses/index.ts'
import { MemberPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { refuseInvalid } from '#src/contract/problems.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import type { StaffContext } from '../../audience.ts'
import { lineIn, textIn } from '../../forms/values.ts'

/** The profile of a lecturer as pages get it. */
export type LecturerShown = Encoded<Static<typeof Lecturer>>

// A line is a name and, after its last space, an address.
const linksIn = (form: Pairs) =>
  textIn(form, 'links')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => {
      const [, label = '', url = ''] = /^(.*)\s(\S+)$/.exec(line) ?? []
      if (!/^https?:\/\//.test(url))
        refuseInvalid([{ pointer: '/links', code: 'url', message: 'is not a name and an address' }])
      return { label: label.trim(), url }
    })

/** The member who has an address. Refuses one that nobody has, as an error of the field. */
const memberIn = async (context: StaffContext, form: Pairs): Promise<string | null> => {
  const email = lineIn(form, 'email')
  if (email === '') return null
  const call = { operation: 'listMembers', query: [['email', email] as const], returns: MemberPage }
  const [member] = email.length < 3 || email.length > 254 ? [] : (await context.call(call)).data
  if (member === undefined) refuseInvalid([{ pointer: '/email', code: 'unknown', message: 'is of no member' }])
  return member?.id ?? null
}

/** What the form of a profile says, as the operations take it; lecturers change what visitors read of them. */
export const profileIn = async (context: StaffContext, form: Pairs) => {
  const own = { display_name: lineIn(form, 'display_name'), bio: textIn(form, 'bio'), links: linksIn(form) }
  if (!context.isStaff) return own
  // A new profile has no address yet.
  const slug = lineIn(form, 'slug')
  return {
    ...own,
    member_id: await memberIn(context, form),
    visibility: formField(form, 'visibility'),
    ...(slug === '' ? {} : { slug }),
  }
}

/** A profile as its form shows it, with the address of its account. */
export const formOfLecturer = (lecturer: LecturerShown, email: string): Pairs => [
  ['display_name', lecturer.display_name],
  ['email', email],
  ['bio', lecturer.bio],
  ['links', lecturer.links.map(({ label, url }) => `${label} ${url}`).join('\n')],
  ['visibility', lecturer.visibility],
  ['slug', lecturer.slug],
]

/** A new profile as its form shows it. */
export const blankLecturer: Pairs = [['visibility', 'visible']]
