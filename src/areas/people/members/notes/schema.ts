import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Nullable, Person, Personal, Recorded, Ref, Words } from '#src/kit/shapes.ts'

/** What staff write down about a member. */
export const NoteSettings = Closed('NewMemberNote', {
  body: Personal(Words(10_000, 'The note, as plain text; the member never sees it')),
})

/** A note about a member, among the staff. */
export const MemberNote = Closed('MemberNote', {
  id: Id('nte'),
  body: NoteSettings.properties.body,
  author: Nullable(Person),
  ...Recorded,
})

/** A change of a note. */
export const NoteChanges = MergePatch(NoteSettings, 'MemberNoteChanges')

/** One page of the notes about a member. */
export const NotePage = PageOf(MemberNote, 'MemberNotePage')

/** The query parameters of the list of notes. */
export const NoteQuery = Type.Object({ ...PageQuery })

/** A note in a path. */
export const NoteRef = Type.Object({ member_id: Ref('mem', ['external']), note_id: Id('nte') })
