import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the outbox, in every language. */
export const outboxText = {
  title: say('Outbox', 'Caixa de saída'),
  about: say('Mails of the school, and whether they arrived', 'Mensagens da escola e se foram entregues'),
  intro: say('Mails of the last 30 days, newest first.', 'Mensagens dos últimos 30 dias, as mais recentes primeiro.'),
  written: say(
    'Mails marked “not sent” are in files, since this installation has no mail server. Set one (STOA_SMTP_URL) before people other than you use the school.',
    'As mensagens «não enviadas» estão em ficheiros, porque esta instalação não tem servidor de correio. Configure um (STOA_SMTP_URL) antes de outras pessoas usarem a escola.',
  ),
  state: say('State', 'Estado'),
  any: say('Any', 'Todos'),
  find: say('Show', 'Mostrar'),
  none: say('No mails found.', 'Nenhuma mensagem encontrada.'),
  next: say('Next page', 'Página seguinte'),
  first: say('Back to the first page', 'Voltar à primeira página'),
  back: say('Back to the outbox', 'Voltar à caixa de saída'),
  states: {
    waiting: say('waiting', 'em espera'),
    written: say('not sent: in a file', 'não enviada: num ficheiro'),
    sent: say('sent', 'enviada'),
    failed: say('not delivered', 'não entregue'),
  },
  to: say('To', 'Para'),
  when: say('Written', 'Escrita'),
  done: say('Sent or given up', 'Enviada ou abandonada'),
  error: say('Last error', 'Último erro'),
  attempts: say('Attempts', 'Tentativas'),
  file: say('File', 'Ficheiro'),
  fileOf: say('mail/{id}.eml in the data folder of the installation', 'mail/{id}.eml na pasta de dados da instalação'),
  text: say('Text', 'Texto'),
  secrets: say(
    'The code or link of this mail is for its recipient alone and is never shown here. Whoever runs the installation finds it in the file.',
    'O código ou a ligação desta mensagem é só para o destinatário e nunca é mostrado aqui. Quem gere a instalação encontra-o no ficheiro.',
  ),
  secretsWaiting: say(
    'The code or link of this mail is for its recipient alone and is never shown here.',
    'O código ou a ligação desta mensagem é só para o destinatário e nunca é mostrado aqui.',
  ),
  gone: say(
    'The text is not kept once a mail server has accepted the mail.',
    'O texto não é guardado depois de um servidor aceitar a mensagem.',
  ),
} as const
