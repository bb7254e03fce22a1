import type { Words } from '../words.ts'

/** Japanese. */
export const ja: Words = {
  contact: {
    save: '連絡先を保存',
    call: '電話をかける',
    mail: 'メールを書く',
    website: 'ウェブサイト',
    address: '住所',
    note: 'メモ',
  },
  wifi: {
    title: 'Wi-Fi に接続',
    network: 'ネットワーク',
    password: 'パスワード',
    open: 'パスワードは不要です',
    hidden: 'このネットワークは名前を隠しています。Wi-Fi の設定で名前を入力してください。',
    copy: 'パスワードをコピー',
    copied: 'パスワードをコピーしました',
    touch: 'パスワードに触れて選択し、コピーしてください。',
    picture: '別のスマートフォンを接続するには、そのカメラでこの画像を読み取ってください。',
  },
  mail: { title: 'メールを書く', action: 'メールを開く', to: '宛先', subject: '件名', message: '本文' },
  sms: { title: 'メッセージを送る', action: 'メッセージを開く', to: '宛先', message: '本文' },
  phone: { title: '電話をかける', action: '今すぐ電話' },
  menu: { sections: 'セクション' },
  social: { follow: 'フォローする' },
  app: { get: 'アプリを入手', ios: 'App Store', android: 'Google Play' },
  badLink: {
    title: 'このリンクは開けません',
    text: 'アドレスがウェブのアドレスではありません。コードの提供元にお知らせください。',
  },
  unknown: {
    title: 'このコードは見つかりません',
    text: 'アドレスを確かめるか、もう一度読み取ってください。',
  },
  gone: { title: 'このコードは使われていません', text: '所有者が停止しました。' },
  later: {
    title: 'しばらくしてからもう一度お試しください',
    text: '今このコードを調べられません。',
  },
  reached: { title: 'このスマートフォンからコードを開けます', text: 'このページは閉じてかまいません。' },
  home: {
    title: 'QRコードのためのアドレスです',
    text: 'コードを読み取るか、その下に印刷された短いアドレスを最後まで入力してください。',
  },
  method: {
    title: 'このアドレスはブラウザーで開いてください',
    text: 'プログラムからデータを送ることはできません。',
  },
  closed: {
    SCHEDULED: { title: 'このコードはまだ公開されていません', text: '後でもう一度お試しください。' },
    ENDED: { title: 'このコードの有効期間は終了しました', text: '期間限定で公開されていました。' },
    FULL: { title: 'このコードは上限に達しました', text: '回数限定で公開されていました。' },
  },
  password: {
    title: 'パスワードを入力してください',
    label: 'パスワード',
    action: '次へ',
    wrong: 'パスワードが正しくありません。',
    limited: 'パスワードの誤りが多すぎます。数分後にもう一度お試しください。',
    busy: 'ただいま混み合っています。しばらくしてからもう一度お試しください。',
  },
}
