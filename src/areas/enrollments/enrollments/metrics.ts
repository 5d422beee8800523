import { courseDimension } from '#src/areas/courses/index.ts'
import type { Dimension, Metric } from '#src/contract/metric.ts'
import { completedRows, enrolledRows } from './metrics.queries.ts'

const source: Dimension = {
  name: 'source',
  title: { en: 'Reason for access', pt: 'Motivo do acesso' },
  labels: {
    order_line: { en: 'purchase', pt: 'compra' },
    subscription: { en: 'subscription', pt: 'assinatura' },
    gift: { en: 'gift', pt: 'oferta' },
    staff: { en: 'enrolled by staff', pt: 'inscrição pela equipa' },
    group: { en: 'group', pt: 'grupo' },
    import: { en: 'import', pt: 'importação' },
    free: { en: 'free course', pt: 'curso gratuito' },
  },
}

/** The metrics of enrollments. */
export const enrollmentMetrics: readonly Metric[] = [
  {
    name: 'enrollments',
    title: { en: 'Enrollments', pt: 'Inscrições' },
    about: { en: 'Students who were enrolled in a course', pt: 'Alunos inscritos num curso' },
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension, source],
    sources: ['enrollments.created_at'],
    changes: ['student.enrolled', 'student.imported', 'entitlement.granted', 'member.merged'],
    rows: enrolledRows,
  },
  {
    name: 'completions',
    title: { en: 'Completed courses', pt: 'Cursos concluídos' },
    about: { en: 'Students who completed a course', pt: 'Alunos que concluíram um curso' },
    unit: 'count',
    kind: 'count',
    who: 'lecturer_of',
    breakdowns: [courseDimension],
    sources: ['enrollments.completed_at'],
    changes: [
      'enrollment.completed',
      'lesson.completed',
      'lesson.completion_undone',
      'outline.updated',
      'member.merged',
    ],
    rows: completedRows,
  },
]
