import { courseDimension } from '#src/areas/courses/index.ts'
import { lessonDimension } from '#src/areas/curriculum/index.ts'
import type { Dimension, Metric } from '#src/contract/metric.ts'
import { gradedRows, startedRows } from './metrics.queries.ts'

const outcome: Dimension = {
  name: 'outcome',
  title: { en: 'Outcome', pt: 'Resultado' },
  labels: { passed: { en: 'passed', pt: 'aprovado' }, failed: { en: 'not passed', pt: 'não aprovado' } },
}

/** The metrics of attempts at quizzes. */
export const attemptMetrics: readonly Metric[] = [
  {
    name: 'quiz_attempts',
    title: { en: 'Quiz attempts', pt: 'Tentativas de testes' },
    about: { en: 'Attempts at quizzes that students began', pt: 'Tentativas de testes que os alunos começaram' },
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension, lessonDimension],
    sources: ['quiz_attempts.started_at'],
    changes: ['quiz_attempt.started', 'member.erased', 'member.merged'],
    rows: startedRows,
  },
  {
    name: 'graded_attempts',
    title: { en: 'Graded attempts', pt: 'Tentativas avaliadas' },
    about: {
      en: 'Attempts at quizzes that were graded, passed or not',
      pt: 'Tentativas de testes avaliadas, aprovadas ou não',
    },
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension, lessonDimension, outcome],
    sources: ['quiz_attempts.graded_at'],
    changes: ['quiz_attempt.passed', 'quiz_attempt.graded', 'quiz_attempt.submitted', 'member.erased', 'member.merged'],
    rows: gradedRows,
  },
]
