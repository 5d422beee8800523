import { type Dimension, type Metric, namesById } from '#src/contract/metric.ts'
import { formTitles, receivedRows, viewRows } from './metrics.queries.ts'

const form: Dimension = {
  name: 'form',
  title: { en: 'Form', pt: 'Formulário' },
  prefixes: ['frm'],
  names: namesById(formTitles),
}

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
    breakdowns: [form],
    sources: ['form_submissions.submitted_at'],
    changes: ['form.submitted', 'submission.updated', 'submissions.deleted', 'form.deleted'],
    rows: receivedRows,
  },
  {
    name: 'form_views',
    title: { en: 'Form views', pt: 'Visualizações de formulários' },
    about: {
      en: 'How often open forms were shown, on a page or by an app, except to staff. Nobody is recorded, so who opens a form twice counts twice, and programs such as search engines count too',
      pt: 'Quantas vezes os formulários abertos foram mostrados, numa página ou por uma aplicação, exceto à equipa. Ninguém é registado, por isso quem abre um formulário duas vezes conta duas vezes, e programas como motores de busca também contam',
    },
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [form],
    sources: ['view_counts.at'],
    changes: [],
    rows: viewRows,
  },
]
