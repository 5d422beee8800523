import Type from 'typebox'
import { exampleFrom } from '#src/contract/example.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, ExternalId, Id, Line, Nullable, Recorded, Ref, Text } from '#src/kit/shapes.ts'
import { MAX_NAME_LENGTH } from './rules.ts'

/** The settings of a group. */
const GroupSettings = Type.Object({
  name: Line(MAX_NAME_LENGTH, 'The name of the group, unique without regard to case and accents'),
  description: Text(2000, 'What the group is for, as plain text'),
  external_id: Nullable(ExternalId),
})

/** A group of members, and how many items it gives access to. */
export const Group = Closed('Group', {
  id: Id('grp'),
  ...GroupSettings.properties,
  member_count: Type.Integer({ minimum: 0, description: 'How many members it has' }),
  item_count: Type.Integer({ minimum: 0, description: 'How many items it gives access to' }),
  ...Recorded,
})

/** A new group. */
export const NewGroup = Closed('NewGroup', {
  ...Type.Partial(GroupSettings).properties,
  name: GroupSettings.properties.name,
})

/** A change of a group. */
export const GroupChanges = MergePatch(GroupSettings, 'GroupChanges')

/** One page of the groups. */
export const GroupPage = PageOf(Group, 'GroupPage')

/** The query parameters of the list of groups. */
export const GroupQuery = Type.Object({
  ...PageQuery,
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of name or external_id' }),
  ),
  member_id: Type.Optional(Id('mem')),
  external_id: Type.Optional(ExternalId),
})

/** What a group can be named by in a path. */
export const GroupPath = Type.Object({ group_id: Ref('grp', ['external']) })

/** A group of the demo data, for the examples. */
export const groupExample = { group_id: exampleFrom('grp', 'listGroups') }
