import type { Words } from '../words.ts'

/** Arabic. */
export const ar: Words = {
  contact: {
    save: 'حفظ جهة الاتصال',
    call: 'اتصال',
    mail: 'كتابة بريد إلكتروني',
    website: 'الموقع الإلكتروني',
    address: 'العنوان',
    note: 'ملاحظة',
  },
  wifi: {
    title: 'الاتصال بشبكة Wi-Fi',
    network: 'الشبكة',
    password: 'كلمة المرور',
    open: 'لا حاجة إلى كلمة مرور',
    hidden: 'الشبكة تخفي اسمها: اكتبه في إعدادات Wi-Fi.',
    copy: 'نسخ كلمة المرور',
    copied: 'تم نسخ كلمة المرور',
    touch: 'المس كلمة المرور لتحديدها ثم انسخها.',
    picture: 'للاتصال بهاتف آخر، امسح هذه الصورة بكاميرته.',
  },
  mail: {
    title: 'كتابة بريد إلكتروني',
    action: 'فتح البريد',
    to: 'إلى',
    subject: 'الموضوع',
    message: 'الرسالة',
  },
  sms: { title: 'إرسال رسالة', action: 'فتح الرسالة', to: 'إلى', message: 'الرسالة' },
  phone: { title: 'اتصال', action: 'اتصل الآن' },
  menu: { sections: 'الأقسام' },
  social: { follow: 'تابعونا' },
  app: { get: 'الحصول على التطبيق', ios: 'App Store', android: 'Google Play' },
  badLink: { title: 'لا يمكن فتح هذا الرابط', text: 'عنوانه ليس عنوان ويب. يرجى إبلاغ من أعطاك هذا الرمز.' },
  unknown: { title: 'لم نعثر على هذا الرمز', text: 'تحقق من العنوان أو امسح الرمز مرة أخرى.' },
  gone: { title: 'لم يعد هذا الرمز مستخدمًا', text: 'أوقفه صاحبه.' },
  later: { title: 'حاول مرة أخرى بعد قليل', text: 'لا يمكن البحث عن هذا الرمز الآن.' },
  method: { title: 'افتح هذا العنوان في متصفح', text: 'لا يمكن للبرامج إرسال بيانات إليه.' },
}
