import { type Metric, namesById } from '#src/contract/metric.ts'
import { formTitles, receivedRows } from './metrics.queries.ts'

/** The metrics of submissions of forms. */
export const formMetrics: readonly Metric[] = [
  {
    name: 'form_submissions',
    title: { en: 'Form submissions', pt: 'Respostas a formulários' },
    about: {
      en: 'Submissions of forms, without spam; those whose retention has ended no longer count',
      pt: 'Respostas a formulários, sem spam; as que já não são guardadas deixam de contar',
    },
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [
      { name: 'form', title: { en: 'Form', pt: 'Formulário' }, prefixes: ['frm'], names: namesById(formTitles) },
    ],
    sources: ['form_submissions.submitted_at'],
    changes: ['form.submitted', 'submission.updated', 'submissions.deleted', 'form.deleted'],
    rows: receivedRows,
  },
]
