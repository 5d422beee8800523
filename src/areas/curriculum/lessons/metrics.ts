import { type Dimension, namesById } from '#src/contract/metric.ts'
import { lessonNamesOf } from './metrics.queries.ts'

/** The lesson that a row of a metric is about. */
export const lessonDimension: Dimension = {
  name: 'lesson',
  title: { en: 'Lesson', pt: 'Aula' },
  prefixes: ['les'],
  names: namesById(lessonNamesOf),
}
