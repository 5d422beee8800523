import { type Dimension, type Metric, namesById } from '#src/contract/metric.ts'
import { texts } from '#src/texts/index.ts'
import { formTitles, receivedRows, viewRows } from './metrics.queries.ts'

const words = texts.publishing.formSubmissions.submission.metrics

const form: Dimension = {
  name: 'form',
  title: texts.words.form,
  prefixes: ['frm'],
  names: namesById(formTitles),
}

/** The metrics of submissions of forms. */
export const formMetrics: readonly Metric[] = [
  {
    name: 'form_submissions',
    title: words.formMetrics.title,
    about: words.formMetrics.about,
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
    title: words.formMetrics.formViews,
    about: words.formMetrics.howOftenOpenFormsWere,
    unit: 'count',
    kind: 'count',
    who: 'staff',
    breakdowns: [form],
    sources: ['view_counts.at'],
    changes: [],
    rows: viewRows,
  },
]
