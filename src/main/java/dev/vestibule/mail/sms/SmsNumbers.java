package dev.vestibule.mail.sms;

import com.google.i18n.phonenumbers.NumberParseException;
import com.google.i18n.phonenumbers.PhoneNumberUtil;
import com.google.i18n.phonenumbers.PhoneNumberUtil.PhoneNumberType;
import dev.vestibule.error.InvalidValueException;
import dev.vestibule.json.FieldRule;
import dev.vestibule.user.UserFields;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which numbers get SMS: mobile numbers of the operator's countries. SMS fraud makes its money with premium,
 * shared-cost and service numbers. The rule is stricter than that for a profile, where a number costs nothing.
 */
final class SmsNumbers {
    /** In some countries, such as those of +1, mobile numbers look like fixed lines. */
    private static final Set<PhoneNumberType> MOBILE =
            EnumSet.of(PhoneNumberType.MOBILE, PhoneNumberType.FIXED_LINE_OR_MOBILE);

    private final Set<String> countries;

    SmsNumbers(List<String> countries) {
        this.countries = Set.copyOf(countries);
    }

    /** Reads a number as people type it, and returns it in E.164; refuses numbers that get no SMS. */
    FieldRule<String> rule(@Nullable String defaultCountry) {
        var typed = UserFields.phone(defaultCountry);
        return text -> {
            var phone = typed.read(text);
            if (!getsSms(phone)) {
                throw new InvalidValueException("must be a mobile number in a country that codes are sent to");
            }
            return phone;
        };
    }

    private boolean getsSms(String phone) {
        var numbers = PhoneNumberUtil.getInstance();
        try {
            var number = numbers.parse(phone, null);
            @Nullable String country = numbers.getRegionCodeForNumber(number); // null for a number that is not valid
            return country != null && countries.contains(country) && MOBILE.contains(numbers.getNumberType(number));
        } catch (NumberParseException invalid) {
            return false;
        }
    }
}
