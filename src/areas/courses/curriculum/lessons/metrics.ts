import { type Dimension, namesById } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { readLessonNames } from './metrics.queries.ts'

/** The lesson that a row of a metric is about. */
export const lessonDimension: Dimension = {
  name: 'lesson',
  title: texts.words.lesson,
  prefixes: ['les'],
  names: namesById(readLessonNames),
}
