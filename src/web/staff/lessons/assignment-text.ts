import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the editor of an assignment. */
export const assignmentText = {
  title: say('Assignment: {name}', 'Trabalho: {name}'),
  instructions: say('Instructions (Markdown)', 'Instruções (Markdown)'),
  preview: say('Instructions as learners see them', 'Instruções como os alunos as veem'),
  kinds: say('Learners hand in', 'Os alunos entregam'),
  kindNames: { text: say('text', 'texto'), files: say('files', 'ficheiros'), link: say('a link', 'uma ligação') },
  maxFiles: say('Files at most', 'Ficheiros no máximo'),
  resubmissions: say('Times that work can be handed in again (empty: no limit)', 'Vezes que se pode entregar de novo (vazio: sem limite)'),
  maxPoints: say('Points at most', 'Pontos no máximo'),
  passingPoints: say('Points to be accepted', 'Pontos para ser aceite'),
  due: say('Due', 'Prazo'),
  dueAbout: say('Either a day and time, or some days after the enrollment, or neither.', 'Um dia e hora, ou alguns dias após a inscrição, ou nenhum.'),
  dueLocal: say('Due on', 'Até'),
  zone: say('Time zone', 'Fuso horário'),
  dueDays: say('or days after the enrollment', 'ou dias após a inscrição'),
  late: say('Late work', 'Trabalhos atrasados'),
  lates: {
    allowed: say('is accepted and marked as late', 'são aceites e assinalados'),
    refused: say('is refused', 'são recusados'),
  },
  required: say('The lesson is completed only by accepted work', 'A aula só fica concluída com um trabalho aceite'),
  errors: {
    passing_points: say('Enter at most the points above.', 'Escreva no máximo os pontos acima.'),
    due_days_after_enrollment: say('Choose a date or a number of days, and not both.', 'Escolha uma data ou um número de dias, e não ambos.'),
    due_at_local: say('Enter a day and a time.', 'Escreva um dia e uma hora.'),
    due_at_time_zone: say('Enter a time zone such as Europe/Lisbon.', 'Escreva um fuso horário como Europe/Lisbon.'),
    kinds: say('Choose at least one.', 'Escolha pelo menos um.'),
    instructions: say('These cannot be shown. Make them shorter or simpler.', 'Não podem ser mostradas. Encurte-as ou simplifique-as.'),
  },
} as const
