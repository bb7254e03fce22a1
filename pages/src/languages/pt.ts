import type { Words } from '../words.ts'

/** Portuguese. */
export const pt: Words = {
  contact: {
    save: 'Salvar contato',
    call: 'Ligar',
    mail: 'Escrever um e-mail',
    website: 'Site',
    address: 'Endereço',
    note: 'Observação',
  },
  wifi: {
    title: 'Conectar ao Wi-Fi',
    network: 'Rede',
    password: 'Senha',
    open: 'Não precisa de senha',
    hidden: 'A rede oculta o nome: digite-o nas configurações de Wi-Fi.',
    copy: 'Copiar senha',
    copied: 'Senha copiada',
    touch: 'Toque na senha para selecioná-la e depois copie.',
    picture: 'Para conectar outro celular, escaneie esta imagem com a câmera dele.',
  },
  mail: {
    title: 'Escrever um e-mail',
    action: 'Abrir e-mail',
    to: 'Para',
    subject: 'Assunto',
    message: 'Mensagem',
  },
  sms: { title: 'Enviar uma mensagem', action: 'Abrir mensagem', to: 'Para', message: 'Mensagem' },
  phone: { title: 'Ligar', action: 'Ligar agora' },
  menu: { sections: 'Seções' },
  social: { follow: 'Siga-nos' },
  app: { get: 'Baixar o aplicativo', ios: 'App Store', android: 'Google Play' },
  badLink: {
    title: 'Não é possível abrir este link',
    text: 'O endereço não é um endereço web. Avise quem deu este código a você.',
  },
  unknown: {
    title: 'Não encontramos este código',
    text: 'Confira o endereço ou escaneie o código de novo.',
  },
  gone: { title: 'Este código não está mais em uso', text: 'O proprietário o desativou.' },
  later: {
    title: 'Tente de novo em instantes',
    text: 'Não é possível consultar este código agora.',
  },
  reached: { title: 'Este telefone alcança os seus códigos', text: 'Você pode fechar esta página.' },
  home: {
    title: 'Aqui moram códigos QR',
    text: 'Leia um código ou digite o endereço curto completo que está impresso abaixo dele.',
  },
  method: {
    title: 'Abra este endereço em um navegador',
    text: 'Programas não podem enviar dados a ele.',
  },
  closed: {
    SCHEDULED: { title: 'Este código ainda não está disponível', text: 'Tente novamente mais tarde.' },
    ENDED: { title: 'Este código expirou', text: 'Só esteve disponível por tempo limitado.' },
    FULL: { title: 'Este código está esgotado', text: 'Só era válido para um número limitado de leituras.' },
  },
  password: {
    title: 'Digite a senha',
    label: 'Senha',
    action: 'Continuar',
    wrong: 'Esta senha não está correta.',
    limited: 'Muitas senhas incorretas. Tente novamente em alguns minutos.',
    busy: 'Há muitas pessoas aqui agora. Tente novamente em instantes.',
  },
}
