import Type from 'typebox'
import { exampleFrom } from '#src/contract/example.ts'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Line, Personal, Recorded } from '#src/kit/shapes.ts'
import { memberConditions } from '../member/schema.ts'

/** The settings of a segment. */
const SegmentSettings = Type.Object({
  name: Line(80, 'The name of the segment, unique without regard to case and accents'),
  filter: Personal(
    Type.Object(
      { ...memberConditions, tag: Type.Optional(Line(50, 'Only members with this tag')) },
      { additionalProperties: false, minProperties: 1, description: 'At least one condition; all must hold' },
    ),
  ),
})

/** A named filter of the members. */
export const Segment = Closed('Segment', { id: Id('sgm'), ...SegmentSettings.properties, ...Recorded })

/** A new segment. */
export const NewSegment = Closed('NewSegment', SegmentSettings.properties)

/** A change of a segment; a filter replaces the one before. */
export const SegmentChanges = MergePatch(SegmentSettings, 'SegmentChanges')

/** One page of the segments. */
export const SegmentPage = PageOf(Segment, 'SegmentPage')

/** The query parameters of the list of segments. */
export const SegmentQuery = Type.Object({ ...PageQuery })

/** A segment in a path. */
export const SegmentRef = Type.Object({ segment_id: Id('sgm') })

/** A segment of the demo data, for the examples. */
export const segmentExample = { segment_id: exampleFrom('sgm', 'listSegments') }
