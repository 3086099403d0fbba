import { bar, size, type Cases } from './charts.ts';
import { series } from './series.ts';

/** Texts that wrap, mix directions, or have marks and ligatures: a title, three names, and the titles of the axes. */
const texts: Readonly<Record<string, readonly [string, readonly string[], string, string]>> = {
  Vietnamese: ['Doanh thu theo thành phố!', ['Nguyễn Huệ', 'Đà Nẵng', 'Huế'], 'Thành phố', 'Triệu ₫'],
  Cyrillic: ['Продажи, 2026 (млн ₽)!', ['Санкт-Петербург и область', 'Казань', 'Київ'], 'Город', 'млн ₽'],
  Greek: ['Πωλήσεις, 2026 (€)!', ['Αθήνα και Πειραιάς', 'Θεσσαλονίκη', 'Βόλος'], 'Πόλη', 'Πωλήσεις'],
  Arabic: [
    'المبيعات حسب المدينة، 2026 (USD)!',
    ['الدار البيضاء (المغرب)', 'الرياض 12%', 'مَدينة'],
    'المدينة',
    'المبيعات (USD)',
  ],
  Hebrew: ['מכירות לפי עיר, 2026 (USD)!', ['תל אביב-יפו (ישראל)', 'חיפה 12%', 'שָׁלוֹם'], 'עיר', 'מכירות (USD)'],
  Devanagari: ['शहर के अनुसार बिक्री, 2026 (₹)!', ['छत्रपति संभाजीनगर', 'दिल्ली', 'विश्वविद्यालय'], 'शहर', 'बिक्री'],
  Bengali: ['শহর অনুযায়ী বিক্রয়, ২০২৬!', ['ব্রাহ্মণবাড়িয়া', 'ঢাকা', 'চট্টগ্রাম'], 'শহর', 'বিক্রয়'],
  Tamil: ['நகரவாரியாக விற்பனை, 2026!', ['திருச்சிராப்பள்ளி', 'சென்னை', 'கோயம்புத்தூர்'], 'நகரம்', 'விற்பனை'],
  Thai: ['ยอดขายตามเมือง พ.ศ. 2569!', ['กรุงเทพมหานคร', 'เชียงใหม่', 'น้ำปิง'], 'เมือง', 'ยอดขาย'],
  Chinese: ['各城市销售额（2026年）！', ['广州市天河区珠江新城', '北京', '上海'], '城市', '销售额'],
  Japanese: ['都市別売上（2026年）！', ['東京都千代田区', 'ガギグ', 'さっぽろ'], '都市', '売上'],
  Korean: ['도시별 매출 (2026년)!', ['서울특별시 강남구', '부산', '한글'], '도시', '매출'],
  emoji: ['Mood 🎉 ❤️ of 2026 🇩🇪!', ['😀 good 👍🏽', '👩‍👩‍👧 family', '1️⃣ ☀️ ✓'], 'Day 📅', 'Mood 😐'],
  others: ['Հայերեն ქართული አማርኛ ភាសាខ្មែរ', ['සිංහල', 'తెలుగు', 'မြန်မာ'], 'ລາວ', 'മലയാളം ಕನ್ನಡ ગુજરાતી ਪੰਜਾਬੀ'],
};

/** Charts with text in each script as title, label, legend and axis title. */
export const scripts: Cases = Object.fromEntries(
  Object.entries(texts).map(([script, [title, names, xTitle, yTitle]]) => [
    `script, ${script}`,
    bar(
      title,
      names.map((name, i) => ({ name, data: series(names, [12 + i, 9 + i, 6 + i]) })),
      { ...size(420, 300), x_title: xTitle, y_title: yTitle },
    ),
  ]),
);
