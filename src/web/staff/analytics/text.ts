import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages with figures, in every language. */
export const analyticsText = {
  title: say('Analytics', 'Estatísticas'),
  about: say(
    'Sales, members and learning over time, and reports',
    'Vendas, membros e aprendizagem ao longo do tempo, e relatórios',
  ),
  interval: say('By', 'Por'),
  intervals: { day: say('day', 'dia'), week: say('week', 'semana'), month: say('month', 'mês') },
  from: say('From', 'De'),
  to: say('To', 'Até'),
  course: say('Course', 'Curso'),
  allCourses: say('All courses', 'Todos os cursos'),
  show: say('Show', 'Mostrar'),
  range: say('{from} to {to}, in the time zone {zone}', '{from} a {to}, no fuso horário {zone}'),
  incomplete: say(
    'Some of these days are not over, or are being counted; the figures may still change.',
    'Alguns destes dias ainda não terminaram ou estão a ser contados; os números podem ainda mudar.',
  ),
  refused: say('These days could not be shown. {detail}', 'Não foi possível mostrar estes dias. {detail}'),
  tooMany: say(
    'Choose a valid range: the first day before the last, and not too many points.',
    'Escolha um intervalo válido: o primeiro dia antes do último e não demasiados pontos.',
  ),
  before: say('{value} in the period before', '{value} no período anterior'),
  none: say('Nothing happened in these days.', 'Nada aconteceu nestes dias.'),
  numbers: say('Numbers', 'Números'),
  chart: say(
    '{name}: {total} from {from} to {to}; the most in one point is {most}.',
    '{name}: {total} de {from} a {to}; o máximo num ponto é {most}.',
  ),
  start: say('From', 'Desde'),
  value: say('Value', 'Valor'),
  csv: say('Download as CSV', 'Transferir como CSV'),
  reports: say('Reports', 'Relatórios'),
  back: say('Back to analytics', 'Voltar às estatísticas'),
  next: say('Next page', 'Página seguinte'),
  empty: say(
    'There is nothing in these days. Choose other ones above.',
    'Não há nada nestes dias. Escolha outros acima.',
  ),
  noValue: say('without', 'sem'),
  other: say('others together', 'outros em conjunto'),
  metrics: {
    net_revenue: say('Net revenue', 'Receita líquida'),
    orders_paid: say('Orders paid', 'Encomendas pagas'),
    new_members: say('New members', 'Novos membros'),
    enrollments: say('Enrollments', 'Inscrições'),
    lesson_completions: say('Completed lessons', 'Aulas concluídas'),
    completions: say('Completed courses', 'Cursos concluídos'),
    active_learners: say('Active learners', 'Alunos ativos'),
    sales: say('Sales', 'Vendas'),
    refunds: say('Refunds', 'Reembolsos'),
    sales_tax: say('Tax', 'Imposto'),
    discounts: say('Discounts', 'Descontos'),
    coupon_orders: say('Orders with the coupon', 'Encomendas com o cupão'),
    failed_payments: say('Failed payments', 'Pagamentos falhados'),
    certificates: say('Certificates', 'Certificados'),
    submissions: say('Submitted work', 'Trabalhos entregues'),
    graded_attempts: say('Graded attempts', 'Tentativas avaliadas'),
    downloads: say('Downloads', 'Transferências'),
    form_submissions: say('Submissions', 'Respostas'),
  },
  dimensions: {
    item: say('Item', 'Artigo'),
    campaign: say('Campaign', 'Campanha'),
    country: say('Country', 'País'),
    tax_rate: say('Tax rate (%)', 'Taxa de imposto (%)'),
    coupon: say('Coupon', 'Cupão'),
    provider: say('Payment provider', 'Meio de pagamento'),
    code: say('Reason', 'Motivo'),
    course: say('Course', 'Curso'),
    lesson: say('Lesson', 'Aula'),
    outcome: say('Outcome', 'Resultado'),
    product: say('Product', 'Produto'),
    form: say('Form', 'Formulário'),
  },
  outcomes: { passed: say('passed', 'aprovado'), failed: say('not passed', 'não aprovado') },
} as const

/** The name of a metric or a dimension; one without a text here is shown as the API calls it. */
export const nameIn = (names: Readonly<Record<string, Phrase>>, name: string): Phrase =>
  names[name] ?? { en: name.replaceAll('_', ' '), pt: name.replaceAll('_', ' ') }
