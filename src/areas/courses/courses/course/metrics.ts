import { type Dimension, namesById } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { readCourseNames } from './metrics.queries.ts'

/** The course that a row of a metric is about. */
export const courseDimension: Dimension = {
  name: 'course',
  title: texts.words.course,
  prefixes: ['crs'],
  names: namesById(readCourseNames),
}
