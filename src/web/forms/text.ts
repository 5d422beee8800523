import type { Phrase } from '#src/contract/language.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

/** The texts of the pages of forms, in every language; `{…}` is filled in. */
export const formsText = {
  submit: say('Send', 'Enviar'),
  done: say('Thank you. Your answers have arrived.', 'Obrigado. As suas respostas chegaram.'),
  toHome: say('To the home page', 'Para a página inicial'),
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
} as const
