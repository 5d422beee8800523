import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of forms, in every language; `{…}` is filled in. */
export const formsText = {
  submit: say('Send', 'Enviar'),
  done: say('Thank you. Your answers have arrived.', 'Obrigado. As suas respostas chegaram.'),
  toHome: say('To the home page', 'Para a página inicial'),
  required: say('(required)', '(obrigatório)'),
  onlyIf: say('Answer this if “{field}” is “{value}”.', 'Responda se «{field}» for «{value}».'),
  agreed: say('agreed', 'aceite'),
  choose: say('Please choose', 'Escolha'),
  atMost: say('At most {size} MB.', 'No máximo {size} MB.'),
  kept: say(
    'Sent already: {name}. Choose another file to replace it.',
    'Já enviado: {name}. Escolha outro ficheiro para o substituir.',
  ),
  trap: say('Leave this empty', 'Deixe vazio'),
  signIn: say('Sign in', 'Iniciar sessão'),
  needsSignIn: say('Please sign in to answer this form.', 'Inicie sessão para responder a este formulário.'),
  states: {
    draft: say('This form is not open.', 'Este formulário não está aberto.'),
    not_open_yet: say('This form is not open yet.', 'Este formulário ainda não abriu.'),
    open: say('This form is open.', 'Este formulário está aberto.'),
    full: say('This form takes no more answers.', 'Este formulário já não aceita mais respostas.'),
    closed: say('This form is closed.', 'Este formulário está fechado.'),
  },
  refusals: {
    invalid_body: say('Please check the answers that are marked.', 'Verifique as respostas assinaladas.'),
    rate_limited: say(
      'That was too fast, or too many forms came from your network. Wait a moment and send it again.',
      'Foi demasiado rápido, ou vieram demasiados formulários da sua rede. Aguarde um momento e envie de novo.',
    ),
    form_changed: say(
      'The form has changed since you opened it. Please check your answers and send it again.',
      'O formulário mudou desde que o abriu. Verifique as suas respostas e envie de novo.',
    ),
    already_submitted: say('You have already answered this form.', 'Já respondeu a este formulário.'),
    quota_exceeded: say('The file cannot be stored now.', 'O ficheiro não pode ser guardado agora.'),
    payload_too_large: say('A file is too large.', 'Um ficheiro é demasiado grande.'),
    other: say('The form could not be sent.', 'Não foi possível enviar o formulário.'),
  },
  errors: {
    required: say('Please answer this.', 'Responda, por favor.'),
    email: say('This is not an e-mail address.', 'Isto não é um endereço de e-mail.'),
    phone: say('This is not a telephone number.', 'Isto não é um número de telefone.'),
    url: say('Please write an address that begins with https://', 'Escreva um endereço que comece por https://'),
    date: say('This is not a day of the calendar.', 'Isto não é um dia do calendário.'),
    type: say('Please enter a number.', 'Escreva um número.'),
    minimum: say('The number is too small.', 'O número é demasiado pequeno.'),
    maximum: say('The number is too large.', 'O número é demasiado grande.'),
    maxLength: say('The answer is too long.', 'A resposta é demasiado longa.'),
    minLength: say('The answer is too short.', 'A resposta é demasiado curta.'),
    minItems: say('Please choose more.', 'Escolha mais.'),
    maxItems: say('Please choose fewer.', 'Escolha menos.'),
    unknown: say('Please choose the file again.', 'Escolha o ficheiro de novo.'),
    type_mismatch: say('A file of this type does not fit here.', 'Um ficheiro deste tipo não serve aqui.'),
    other: say('This answer does not fit here.', 'Esta resposta não serve aqui.'),
  },
} as const
