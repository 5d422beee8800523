import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts about assignments, in every language; `{…}` is filled in. */
export const workText = {
  instructions: say('Instructions', 'Instruções'),
  missing: say('The instructions will be published soon.', 'As instruções serão publicadas em breve.'),
  due: say('Hand in by {time}', 'Entregue até {time}'),
  lateAllowed: say('Later is possible; it is marked as late.', 'Mais tarde é possível; fica marcado como atrasado.'),
  lateRefused: say('Later is not possible.', 'Mais tarde não é possível.'),
  points: say('You need {passing} of {max} points', 'Precisa de {passing} de {max} pontos'),
  yourWork: say('Your work', 'O seu trabalho'),
  attempt: say('Handed in for the {n}. time on {time}', 'Entregue pela {n}.ª vez em {time}'),
  first: say('Handed in on {time}', 'Entregue em {time}'),
  late: say('late', 'atrasado'),
  waiting: say('It waits for a lecturer to look at it.', 'Está à espera de que quem ensina o veja.'),
  returned: say('Returned: please improve it and hand it in again.', 'Devolvido: melhore-o e entregue de novo.'),
  accepted: say('Accepted', 'Aceite'),
  notAccepted: say('Not accepted', 'Não aceite'),
  score: say('{points} of {max} points', '{points} de {max} pontos'),
  feedback: say('Feedback', 'Comentário'),
  feedbackBy: say('Feedback of {name}', 'Comentário de {name}'),
  handIn: say('Hand in your work', 'Entregar o trabalho'),
  again: say('Hand in again', 'Entregar de novo'),
  change: say('Change your work', 'Alterar o trabalho'),
  saveChange: say('Hand in the change', 'Entregar a alteração'),
  withdraw: say('Withdraw', 'Retirar'),
  text: say('Text', 'Texto'),
  link: say('Address of your work on the web', 'Endereço do trabalho na Web'),
  files: { one: say('File', 'Ficheiro'), other: say('Files (at most {n})', 'Ficheiros (no máximo {n})') },
  filesHint: say('All together at most 100 MB.', 'Todos juntos no máximo 100 MB.'),
  keep: say('Keep these files', 'Manter estes ficheiros'),
  noneLeft: say('It cannot be handed in again.', 'Não pode ser entregue de novo.'),
  over: say('The time to hand it in is over.', 'O prazo de entrega terminou.'),
  handedIn: say('Your work is handed in.', 'O seu trabalho foi entregue.'),
  withdrawn: say(
    'Your work is withdrawn. You can hand in something else.',
    'O seu trabalho foi retirado. Pode entregar outro.',
  ),
  earlier: say('Earlier work', 'Trabalhos anteriores'),
  empty: say(
    'There is nothing to hand in yet: write something or choose a file.',
    'Ainda não há nada para entregar: escreva algo ou escolha um ficheiro.',
  ),
  badLink: say(
    'The address is not one of the web: it begins with https://',
    'O endereço não é da Web: começa por https://',
  ),
  tooMany: say('These are too many files.', 'São ficheiros a mais.'),
  rejected: say(
    '“{name}” could not be stored: it is not what its name says.',
    '«{name}» não pôde ser guardado: não é o que o nome diz.',
  ),
  changed: say(
    'Your work changed meanwhile. This page shows how it is now.',
    'O seu trabalho mudou entretanto. Esta página mostra como está agora.',
  ),
  full: say(
    'The school has no space for these files. Tell the school about it.',
    'A escola não tem espaço para estes ficheiros. Avise a escola.',
  ),
} as const
